/* SPDX-License-Identifier: GPL-2.0-only */
/* What scheduler.bpf.c takes from libbpf's headers, where it is a part of an ordinary program: instead of these. */
#ifndef AYATORI_MODEL_LIBBPF_H
#define AYATORI_MODEL_LIBBPF_H

/* They find that they have been included already. */
#define __BPF_HELPERS__
#define __BPF_CORE_READ_H__
#define __BPF_TRACING_H__

#define BPF_PROG(name, ...) name(__VA_ARGS__)
#define SEC(name)
#define __ksym
#define __weak __attribute__((weak))
#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#define __noinline __attribute__((noinline))
#define __uint(name, value) int(*name)[value]
#define __type(name, value) __typeof__(value) *name

/* Of a map as BPF programs announce it. */
#define MODEL_SHAPE(map)                                                                                               \
    (struct model_shape)                                                                                               \
    {                                                                                                                  \
        (map), sizeof *(map)->key, sizeof *(map)->value, sizeof *(map)->type / sizeof(int)                             \
    }

struct model_shape {
    const void *map;
    unsigned long key;
    unsigned long value;
    unsigned long type;
};

void *model_lookup(struct model_shape shape, const void *key);
void model_add(struct model_shape shape, const void *key, const void *value);
void model_delete(struct model_shape shape, const void *key);
void *model_storage(void *thread);
unsigned long long model_now(void);
unsigned model_cpu(void);
struct task_struct *model_current(void);

#define bpf_map_lookup_elem(map, key) model_lookup(MODEL_SHAPE(map), key)
#define bpf_map_update_elem(map, key, value, flags) model_add(MODEL_SHAPE(map), key, value)
#define bpf_map_delete_elem(map, key) model_delete(MODEL_SHAPE(map), key)
#define bpf_task_storage_get(map, thread, value, flags) model_storage(thread)
#define bpf_ktime_get_ns() model_now()
#define bpf_get_smp_processor_id() model_cpu()
#define bpf_get_current_task_btf() model_current()
#define bpf_this_cpu_ptr(variable) (variable)
#define bpf_get_prandom_u32() (unsigned)rand()
#define bpf_probe_read_kernel_str(to, size, from) __builtin_snprintf(to, size, "%s", (const char *)(from))

#define bpf_core_field_exists(...) 1
#define bpf_core_type_exists(type) 1
#define MODEL_READ_1(from, field) ((from)->field)
#define MODEL_READ_2(from, through, field) ((from)->through ? (from)->through->field : 0)
#define MODEL_READ(one, two, name, ...) name
#define BPF_CORE_READ(from, ...) MODEL_READ(__VA_ARGS__, MODEL_READ_2, MODEL_READ_1, 0)(from, __VA_ARGS__)

#endif
