#define _GNU_SOURCE
#include "include/csandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "calls.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
// The bit that marks calls of the x32 interface, whose numbers would pass for others.
#define FOREIGN_CALL 0x40000000U
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

enum { most_instructions = 1024, rule_count = sizeof rules / sizeof *rules, short_list = 4 };

struct program {
    struct sock_filter code[most_instructions];
    unsigned short count;
    int is_full;
};

static void emit(struct program *program, struct sock_filter instruction) {
    if (program->count == most_instructions) {
        program->is_full = 1;
        return;
    }
    program->code[program->count++] = instruction;
}

static void load(struct program *program, uint32_t offset) {
    emit(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

static void load_number(struct program *program) {
    load(program, offsetof(struct seccomp_data, nr));
}

/// Goes on where the word loaded is `value`, else skips `rest` instructions.
static void demand(struct program *program, uint32_t value, unsigned char rest) {
    emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, rest));
}

static void answer(struct program *program, uint32_t action) {
    emit(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/// The low half of an argument; both processors are little-endian. Every argument that is checked for
/// bits is an int or flags, of which the kernel looks at no more.
static uint32_t argument(unsigned char index) {
    return (uint32_t)(offsetof(struct seccomp_data, args) + index * sizeof(uint64_t));
}

/// The number of the call is loaded before, and after where the rule does not fit.
static void add_rule(struct program *program, const struct rule *rule) {
    uint32_t value = rule->value == own_process_id ? (uint32_t)getpid() : rule->value;
    switch (rule->kind) {
    case always:
        demand(program, rule->number, 1);
        answer(program, rule->action);
        return;
    case when_masked:
        demand(program, rule->number, 5);
        load(program, argument(rule->index));
        emit(program, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, rule->mask));
        demand(program, value, 1);
        break;
    case when_null:
        demand(program, rule->number, 6);
        load(program, argument(rule->index));
        demand(program, 0, 3);
        load(program, argument(rule->index) + sizeof(uint32_t));
        demand(program, 0, 1);
        break;
    }
    answer(program, rule->action);
    load_number(program);
}

/// A tree over rules in the order of their numbers: when it is installed the kernel runs the filter
/// once for every number there is, which takes a list of all rules a quarter of a millisecond.
static void add_tree(struct program *program, const struct rule *const *first, size_t count) {
    size_t middle = count / 2;
    // The rules of one call stay together.
    while (middle > 0 && first[middle - 1]->number == first[middle]->number) middle--;
    if (count <= short_list || middle == 0) {
        for (size_t i = 0; i < count; i++) add_rule(program, first[i]);
        answer(program, SECCOMP_RET_KILL_PROCESS);
        return;
    }
    uint32_t number = first[middle]->number;
    emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, number, 0, 1));
    size_t jump = program->count;
    emit(program, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0));
    add_tree(program, first, middle);
    if (jump < most_instructions) program->code[jump].k = (uint32_t)(program->count - jump - 1);
    add_tree(program, first + middle, count - middle);
}

/// By number; of the rules of one call the first stays the first.
static void sort(const struct rule **sorted) {
    for (size_t i = 0; i < rule_count; i++) {
        size_t place = i;
        for (; place > 0 && sorted[place - 1]->number > rules[i].number; place--)
            sorted[place] = sorted[place - 1];
        sorted[place] = &rules[i];
    }
}

int csandbox_restrict_calls(void) {
    struct program program = {.count = 0};
    load(&program, offsetof(struct seccomp_data, arch));
    emit(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    answer(&program, SECCOMP_RET_KILL_PROCESS);
    load_number(&program);
#ifdef FOREIGN_CALL
    emit(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FOREIGN_CALL, 0, 1));
    answer(&program, SECCOMP_RET_KILL_PROCESS);
#endif
    const struct rule *sorted[rule_count];
    sort(sorted);
    add_tree(&program, sorted, rule_count);
    if (program.is_full) return -E2BIG;
    struct sock_fprog filter = {.len = program.count, .filter = program.code};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0U, &filter) < 0 ? -errno : 0;
}

#else

int csandbox_restrict_calls(void) { return -ENOTSUP; }

#endif
