/* SPDX-License-Identifier: GPL-2.0-only */
/* The BPF programs as data of ayatori-aggregate: one file to install. */
    .section .rodata
    .balign 8
    .global meter_object
    .global meter_object_end
meter_object:
    .incbin "meter.bpf.o"
meter_object_end:
    .balign 8
    .global scheduler_object
    .global scheduler_object_end
scheduler_object:
    .incbin "scheduler.bpf.o"
scheduler_object_end:
    .balign 8
    .global members_object
    .global members_object_end
members_object:
    .incbin "members.bpf.o"
members_object_end:
    .section .note.GNU-stack, "", @progbits
