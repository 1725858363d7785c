/* Foundation of every compiled game: state of a run, step budget, random numbers, and piles. */

#include <stdint.h>

/* For the code from here to play.c, small loops and functions are worth unrolling and inlining. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC push_options
#pragma GCC optimize("O3", "no-tree-loop-distribute-patterns")
#endif

typedef int64_t cell;

/* Values of `stopped`: the reason why a run stopped before the next decision. */
enum { NOT_STOPPED, GAME_OVER, FAULTED, NO_ROOM, DICE_OPEN, HALTED };
/* Values of `dice`, the source of random numbers: streams of the state; none, as in a cycle search; a script. */
enum { OWN_DICE, NO_DICE, SCRIPTED };

typedef struct run {
    cell cells[SIZE];       /* state of the position */
    cell scratch[SCRATCH];  /* 0 between statements of the rules */
    int32_t fuel;           /* remaining step budget */
    int32_t stopped;
    int32_t fault;          /* fault number of a run stopped by a fault */
    int32_t listed;         /* 1 if the run has listed the options of its decision */
    int32_t count;          /* number of listed options */
    int32_t most;           /* maximum number of options */
    int32_t *options;       /* rows of ROW numbers: the option, its arguments */
    volatile int32_t halt;  /* set from outside to cancel the run */
    int32_t dice;
    int32_t rolls;          /* number of script entries used */
    int32_t answers;        /* length of the script */
    int32_t sides;          /* outcomes of the roll at the end of the script */
    const int32_t *script;
    unsigned char *room;    /* work area, in use up to `used` of `size` bytes */
    uint64_t size, used;
    uint64_t marks[MARK_WORDS]; /* reached marks, one byte each */
} run;

#define S r->cells
#define W r->scratch

static inline uint8_t *marks_of(run *r) { return (uint8_t *)r->marks; }

/* ---- memory: the program has no external calls ---- */

static inline void copy_cells(cell *restrict to, const cell *restrict from, int n) {
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}

/* Allocate bytes of a work area from `used` on; null, and a stop, if there is not enough. */
static void *room_in(run *r, unsigned char *room, uint64_t size, uint64_t *used, uint64_t bytes) {
    uint64_t begin = (*used + 15) & ~(uint64_t)15;
    if (begin > size || bytes > size - begin) {
        r->stopped = NO_ROOM;
        return 0;
    }
    *used = begin + bytes;
    return room + begin;
}

/* Allocate memory of the run, which is released by resetting `used`. */
static void *more_room(run *r, uint64_t bytes) { return room_in(r, r->room, r->size, &r->used, bytes); }

/* ---- numbers ---- */

static inline cell min_of(cell a, cell b) { return a < b ? a : b; }
static inline cell max_of(cell a, cell b) { return a > b ? a : b; }

/* Floor division and its remainder, which has the sign of the divisor. */
static inline cell floor_div(cell a, cell b) {
    cell q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
static inline cell floor_mod(cell a, cell b) {
    cell rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
static inline cell shift_left(cell a, cell b) { return (cell)((uint64_t)a << b); }

/* ---- stops ---- */

/* Stop with a fault, and clear the scratch memory that the statement may have used. */
static __attribute__((cold, noinline)) int fail(run *r, int fault) {
    r->stopped = FAULTED;
    r->fault = fault;
    for (int i = 0; i < SCRATCH; i++)
        W[i] = 0;
    return 0;
}
/* Return whether the run continues: it has not stopped and is not cancelled. */
static inline int goes_on(run *r) {
    if (__builtin_expect(r->halt, 0))
        r->stopped = HALTED;
    return !r->stopped;
}
static inline int charge(run *r, int steps, int fault) {
    r->fuel -= steps;
    return __builtin_expect(r->fuel >= 0, 1) ? 1 : fail(r, fault);
}

/* ---- random numbers: SplitMix64 with counter and increment in the state ---- */

static inline uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

typedef struct { uint64_t counter, step; } stream;

/* Start of the stream for a purpose, seat and number. */
static stream stream_of(uint64_t seed, uint64_t purpose, uint64_t seat, uint64_t number) {
    uint64_t mixed = mix(seed + GOLDEN), step = mixed | 1;
    uint64_t place = (mixed & 1) << HALF_BIT | purpose << PURPOSE_BIT | seat << SEAT_BIT | number << NUMBER_BIT;
    stream s = {mix(step) + place * step, step};
    return s;
}

/* High 64 bits of the product of a random number and a number below 2^32. */
static inline cell part_of(uint64_t random, uint32_t n) {
    return (cell)(((random >> 32) * n + ((random & 0xFFFFFFFFu) * n >> 32)) >> 32);
}

/* Random number below n < 2^32; the stream is unchanged for n <= 1. */
static inline cell below(stream *s, cell n) {
    if (n <= 1)
        return 0;
    s->counter += s->step;
    return part_of(mix(s->counter), (uint32_t)n);
}

static __attribute__((cold, noinline)) cell other_roll(run *r, cell n) {
    if (r->dice == NO_DICE) {
        r->stopped = GAME_OVER;
        return 0;
    }
    if (r->rolls == r->answers) {
        r->stopped = DICE_OPEN;
        r->sides = (int32_t)n;
        return 0;
    }
    return r->script[r->rolls++];
}

static inline cell roll(run *r, cell n) {
    if (n <= 1)
        return 0;
    if (r->dice != OWN_DICE)
        return other_roll(r, n);
    uint64_t counter = (uint64_t)S[AT_CHANCE] + (uint64_t)S[AT_STEP];
    S[AT_CHANCE] = (cell)counter;
    return part_of(mix(counter), (uint32_t)n);
}

/* ---- piles: number of cards, then the cards from the bottom up; unused cells are 0 ---- */

static inline cell top_of(const run *r, cell pile) { return S[pile] ? S[pile + S[pile]] : -1; }
static inline cell bottom_of(const run *r, cell pile) { return S[pile] ? S[pile + 1] : -1; }

static cell count_in(const run *r, cell pile, cell card) {
    cell found = 0, n = S[pile];
    for (cell i = 1; i <= n; i++)
        found += S[pile + i] == card;
    return found;
}

/* Index of the last occurrence of a value in a row, -1 if absent.  All cells are compared without branches, because
   rows are short and the position is unpredictable. */
static cell last_of(const run *r, cell size, cell row, cell value) {
    cell n = S[size], found = -1;
    for (cell at = 0; at < n; at++)
        found = S[row + at] == value ? at : found;
    return found;
}

static int push(run *r, cell pile, cell card, cell capacity, int fault) {
    if (S[pile] >= capacity)
        return fail(r, fault);
    S[pile] += 1;
    S[pile + S[pile]] = card;
    return 1;
}

static int push_under(run *r, cell pile, cell card, cell capacity, int fault) {
    cell n = S[pile];
    if (n >= capacity)
        return fail(r, fault);
    for (cell i = n; i > 0; i--)
        S[pile + i + 1] = S[pile + i];
    S[pile] = n + 1;
    S[pile + 1] = card;
    return 1;
}

/* Remove the card at a position, counted from 1 at the bottom. */
static cell take_out(run *r, cell pile, cell place) {
    cell n = S[pile], card = S[pile + place];
    for (cell i = place; i < n; i++)
        S[pile + i] = S[pile + i + 1];
    S[pile + n] = 0;
    S[pile] = n - 1;
    return card;
}

static cell pop(run *r, cell pile, int fault) {
    return S[pile] ? take_out(r, pile, S[pile]) : fail(r, fault);
}

static cell pop_bottom(run *r, cell pile, int fault) {
    return S[pile] ? take_out(r, pile, 1) : fail(r, fault);
}

/* Remove the topmost copy of a card from a pile. */
static int draw(run *r, cell pile, cell card, int fault) {
    for (cell i = S[pile]; i > 0; i--)
        if (S[pile + i] == card) {
            take_out(r, pile, i);
            return 1;
        }
    return fail(r, fault);
}

static void shuffle(run *r, cell pile) {
    for (cell i = S[pile]; i > 1; i--) {
        cell other = 1 + roll(r, i), card = S[pile + i];
        if (r->stopped)
            return;
        S[pile + i] = S[pile + other];
        S[pile + other] = card;
    }
}

/* Continue a hash over cells: each is added to the product of the hash and a factor.  Four cells are combined at a
   time, because each product would have to wait for the previous one. */
static uint64_t hash_on(const run *r, uint64_t number, int first, int end) {
    const uint64_t twice = (uint64_t)FACTOR * FACTOR;
    int i = first;
    for (; i + 4 <= end; i += 4) {
        uint64_t one = ((uint64_t)S[i] + 1) * FACTOR + (uint64_t)S[i + 1] + 1;
        uint64_t two = ((uint64_t)S[i + 2] + 1) * FACTOR + (uint64_t)S[i + 3] + 1;
        number = number * (twice * twice) + one * twice + two;
    }
    for (; i < end; i++)
        number = number * FACTOR + (uint64_t)S[i] + 1;
    return number;
}

/* Hash of the state, without its header and a range of cells. */
static cell hash_state(const run *r, int first, int end) {
    return (cell)(hash_on(r, hash_on(r, 0, FIRST_FREE, first), end, SIZE) & MASK);
}

/* Row of the next option; null if there is no memory. */
static inline int32_t *option_row(run *r, int32_t others) {
    if (__builtin_expect(others == r->most, 0)) {
        r->stopped = NO_ROOM;
        return 0;
    }
    return r->options + (uint64_t)others * ROW;
}
