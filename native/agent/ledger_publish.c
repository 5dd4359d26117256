#define _GNU_SOURCE
#include "ledger_publish.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ledger_page.h"

/* 16,384 threads: 4 MB of address space, of which only the pages in use take memory. */
#define CAPACITY 16384

struct published_header {
    uint32_t magic, layout, capacity;
    _Atomic uint32_t used;
    uint32_t policy;
    int32_t rt_policy, launch_policy, launch_value;
    uint32_t unlisted, folded;
    int32_t band_low, band_high;
    char padding[LEDGER_HEADER_SIZE - 48];
};

struct published_record {
    _Atomic uint32_t version;
    _Atomic int32_t tid;
    uint32_t kind;
    int32_t java_priority, own_policy, own_value, wanted_policy, wanted_value, error;
    uint32_t dues;
    char name[LEDGER_NAME_SIZE];
    struct timing timing;
    char padding[LEDGER_RECORD_SIZE - 64 - LEDGER_NAME_SIZE];
};

#define AT_OFFSET(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #field)
AT_OFFSET(struct published_header, used, LEDGER_H_USED);
AT_OFFSET(struct published_header, policy, LEDGER_H_POLICY);
AT_OFFSET(struct published_header, launch_value, LEDGER_H_LAUNCH_VALUE);
AT_OFFSET(struct published_header, unlisted, LEDGER_H_UNLISTED);
AT_OFFSET(struct published_header, folded, LEDGER_H_FOLDED);
AT_OFFSET(struct published_header, band_low, LEDGER_H_BAND_LOW);
AT_OFFSET(struct published_header, band_high, LEDGER_H_BAND_HIGH);
AT_OFFSET(struct published_record, tid, LEDGER_R_TID);
AT_OFFSET(struct published_record, java_priority, LEDGER_R_JAVA_PRIORITY);
AT_OFFSET(struct published_record, own_value, LEDGER_R_OWN_VALUE);
AT_OFFSET(struct published_record, wanted_value, LEDGER_R_WANTED_VALUE);
AT_OFFSET(struct published_record, error, LEDGER_R_ERRNO);
AT_OFFSET(struct published_record, dues, LEDGER_R_DUES);
AT_OFFSET(struct published_record, name, LEDGER_R_NAME);
AT_OFFSET(struct published_record, timing.runtime, LEDGER_R_RUNTIME);
AT_OFFSET(struct published_record, timing.deadline, LEDGER_R_DEADLINE);
AT_OFFSET(struct published_record, timing.period, LEDGER_R_PERIOD);
_Static_assert(sizeof(struct published_header) == LEDGER_HEADER_SIZE, "header");
_Static_assert(sizeof(struct published_record) == LEDGER_RECORD_SIZE, "record");

static struct published_header private_header;
static struct published_record unlisted; /* stands in where the page is full; its contents mean nothing */
static struct published_header *header = &private_header;
static struct published_record *records;
static uint32_t capacity;
static uint32_t free_from; /* no record below this index is free */

void publish_open(void)
{
    size_t size = LEDGER_HEADER_SIZE + (size_t)CAPACITY * LEDGER_RECORD_SIZE;
    int fd = (int)syscall(SYS_memfd_create, LEDGER_MEMFD_NAME, MFD_CLOEXEC);
    if (fd < 0)
        return;
    void *page = MAP_FAILED;
    if (ftruncate(fd, (off_t)size) == 0)
        page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED) {
        close(fd);
        return;
    }
    /* The descriptor stays open: it is how other processes find the page. */
    header = page;
    records = (struct published_record *)((char *)page + LEDGER_HEADER_SIZE);
    capacity = CAPACITY;
    header->layout = LEDGER_LAYOUT_VERSION;
    header->capacity = CAPACITY;
    header->magic = LEDGER_MAGIC;
}

void publish_header(int policy, int rt_policy, struct level launch)
{
    header->policy = (uint32_t)policy;
    header->rt_policy = rt_policy;
    header->launch_policy = launch.policy;
    header->launch_value = launch.value;
}

void publish_band(int low, int high)
{
    header->band_low = low;
    header->band_high = high;
}

void publish_folded(int why)
{
    header->folded = (uint32_t)why;
}

static void begin(struct published_record *record)
{
    atomic_fetch_add_explicit(&record->version, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
}

static void end(struct published_record *record)
{
    atomic_fetch_add_explicit(&record->version, 1, memory_order_release);
}

/* Cut at a character's border, so that a reader never meets half a character. */
static void copy_name(struct published_record *record, const char *name)
{
    size_t length = strlen(name);
    if (length >= LEDGER_NAME_SIZE) {
        length = LEDGER_NAME_SIZE - 1;
        while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80)
            length--;
    }
    memcpy(record->name, name, length);
    memset(record->name + length, 0, LEDGER_NAME_SIZE - length);
}

struct published_record *publish_claim(pid_t tid, const char *name)
{
    uint32_t index = free_from;
    while (index < capacity && atomic_load_explicit(&records[index].tid, memory_order_relaxed) != 0)
        index++;
    free_from = index < capacity ? index + 1 : capacity;
    if (index >= capacity)
        header->unlisted++;
    struct published_record *record = index < capacity ? &records[index] : &unlisted;
    begin(record);
    copy_name(record, name);
    atomic_store_explicit(&record->tid, tid, memory_order_relaxed);
    end(record);
    if (index < capacity && index >= atomic_load_explicit(&header->used, memory_order_relaxed))
        atomic_store_explicit(&header->used, index + 1, memory_order_release);
    return record;
}

void publish_levels(struct published_record *record, unsigned kind, int java_priority, struct level own,
                    struct level wanted, int error, unsigned dues, const struct timing *timing)
{
    begin(record);
    record->kind = kind;
    record->java_priority = java_priority;
    record->own_policy = own.policy;
    record->own_value = own.value;
    record->wanted_policy = wanted.policy;
    record->wanted_value = wanted.value;
    record->error = error;
    record->dues = dues;
    record->timing = timing ? *timing : (struct timing){0};
    end(record);
}

void publish_name(struct published_record *record, const char *name)
{
    begin(record);
    copy_name(record, name);
    end(record);
}

const char *published_name(const struct published_record *record)
{
    return record->name;
}

void publish_release(struct published_record *record)
{
    if (record == &unlisted) {
        header->unlisted--;
        return;
    }
    begin(record);
    atomic_store_explicit(&record->tid, 0, memory_order_relaxed);
    end(record);
    uint32_t index = (uint32_t)(record - records);
    if (index < free_from)
        free_from = index;
}
