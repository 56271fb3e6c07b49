#define _GNU_SOURCE
#include "include/csandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "calls.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
// The bit that marks calls of the x32 ABI; without this check their numbers would be taken for those of
// other calls.
#define X32_CALL_BIT 0x40000000U
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__arm__) && defined(__ARM_EABI__) && !defined(__ARMEB__)
#define ARCHITECTURE AUDIT_ARCH_ARM
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

#ifdef ARCHITECTURE

enum { max_instructions = 1024, rule_count = sizeof rules / sizeof *rules, linear_limit = 4 };

struct program {
    struct sock_filter code[max_instructions];
    unsigned short count;
    int is_full;
};

static void emit(struct program *program, struct sock_filter instruction) {
    if (program->count == max_instructions) {
        program->is_full = 1;
        return;
    }
    program->code[program->count++] = instruction;
}

static void load(struct program *program, uint32_t offset) {
    emit(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

static void load_call_number(struct program *program) {
    load(program, offsetof(struct seccomp_data, nr));
}

/// Continues if the loaded word equals `value`, else skips `skip` instructions.
static void require_equal(struct program *program, uint32_t value, unsigned char skip) {
    emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip));
}

static void emit_return(struct program *program, uint32_t action) {
    emit(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/// Offset of the low half of an argument; all these architectures are little-endian. `when_masked` tests only
/// the low half: every such argument is an int or flags, of which the kernel ignores the high half.
static uint32_t argument(unsigned char index) {
    return (uint32_t)(offsetof(struct seccomp_data, args) + index * sizeof(uint64_t));
}

/// Expects the call number in the accumulator. If the rule does not match, the call number is in the
/// accumulator again afterwards.
static void add_rule(struct program *program, const struct rule *rule) {
    uint32_t value = rule->value == own_process_id ? (uint32_t)getpid() : rule->value;
    switch (rule->kind) {
    case always:
        require_equal(program, rule->number, 1);
        emit_return(program, rule->action);
        return;
    case when_masked:
        require_equal(program, rule->number, 5);
        load(program, argument(rule->index));
        emit(program, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, rule->mask));
        require_equal(program, value, 1);
        break;
    case when_null:
        require_equal(program, rule->number, 6);
        load(program, argument(rule->index));
        require_equal(program, 0, 3);
        load(program, argument(rule->index) + sizeof(uint32_t));
        require_equal(program, 0, 1);
        break;
    }
    emit_return(program, rule->action);
    load_call_number(program);
}

/// Emits a binary search over rules that are sorted by call number. When the filter is installed the
/// kernel runs it once for every call number; with a linear list of all rules this takes a quarter of a
/// millisecond.
static void add_tree(struct program *program, const struct rule *const *first, size_t count) {
    size_t middle = count / 2;
    // Keep the rules of one call together.
    while (middle > 0 && first[middle - 1]->number == first[middle]->number) middle--;
    if (count <= linear_limit || middle == 0) {
        for (size_t i = 0; i < count; i++) add_rule(program, first[i]);
        emit_return(program, SECCOMP_RET_KILL_PROCESS);
        return;
    }
    uint32_t number = first[middle]->number;
    emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, number, 0, 1));
    size_t jump = program->count;
    emit(program, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0));
    add_tree(program, first, middle);
    if (jump < max_instructions) program->code[jump].k = (uint32_t)(program->count - jump - 1);
    add_tree(program, first + middle, count - middle);
}

/// Sorts the rules by call number; the sort is stable, so the rules of one call keep their order.
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
    emit_return(&program, SECCOMP_RET_KILL_PROCESS);
    load_call_number(&program);
#ifdef X32_CALL_BIT
    emit(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALL_BIT, 0, 1));
    emit_return(&program, SECCOMP_RET_KILL_PROCESS);
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
