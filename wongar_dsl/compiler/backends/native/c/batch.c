/* Batch stepper: rows of cells, masks of legal actions, and observation vectors of many states.

   An action is a number for an option and its arguments.  The numbers of an option are consecutive; the last argument
   varies fastest.  `adapters.batch_stepper` fills in the numbering and the observation entries. */

/* Numbering of an option, in the order of FIRST_WAY: its first action, and for each argument the least value and the
   number of values. */
typedef struct { int32_t first, domains[ROW > 1 ? ROW - 1 : 1][2]; } numbering;
/* One number of a vector: reading, address, number, bit set of viewers, decision (-1: any), and 1 if only the acting
   seat sees it. */
typedef struct { int64_t reading, at, number, seats, decision, own; } entry;
enum { A_CELL, A_SUM, IS_THERE, AS_LAID, FROM_TOP };
/* Additional reason for a stop: an option without an action. */
enum { NO_ACTION = 100 };

typedef struct {
    int64_t actions, entries;
    const int32_t *option_of; /* option of each action, in the order of FIRST_WAY */
    const numbering *numberings;
    const entry *seen;
    cell *cells;         /* SIZE cells per state */
    int8_t *mask;        /* one byte per action and state */
    int32_t *seat;       /* seat to act, -1 at the end */
    int64_t *length;     /* number of decisions */
    int64_t done;        /* number of states that a call has finished */
} batch;

/* Eight bytes of a mask, and the number of ones among them. */
typedef uint64_t __attribute__((may_alias, aligned(1))) eight;
static inline int64_t ones(eight places) { return (int64_t)(places * 0x0101010101010101u >> 56); }

/* Write the acting seat and the legal actions of a state; 0 if an option has no action. */
static int note(run *r, batch *b, int64_t i) {
    int8_t *mask = b->mask + i * b->actions;
    int64_t cleared = 0;
    for (; cleared + 8 <= b->actions; cleared += 8)
        *(eight *)(mask + cleared) = 0;
    for (; cleared < b->actions; cleared++)
        mask[cleared] = 0;
    b->seat[i] = S[AT_DECISION] >= 0 ? (int32_t)S[AT_SEAT] : -1;
    for (int n = 0; n < r->count; n++) {
        const int32_t *row = r->options + (int64_t)n * ROW;
        int32_t option = FIRST_WAY[S[AT_DECISION]] + row[0];
        const numbering *numbered = &b->numberings[option];
        int64_t place = 0;
        for (int j = 1; j <= ARGUMENTS[option]; j++) {
            int64_t value = (int64_t)row[j] - numbered->domains[j - 1][0], size = numbered->domains[j - 1][1];
            if (value < 0 || value >= size)
                return 0;
            place = place * size + value;
        }
        mask[numbered->first + place] = 1;
    }
    copy_cells(b->cells + i * SIZE, S, SIZE);
    return 1;
}

/* Start the marked states of a range, each with a seed of the series. */
SHOWN int game_batch_start(run *r, batch *b, int64_t from, int64_t to, const uint8_t *marked, uint64_t seed,
                             const int64_t *numbers) {
    for (int64_t i = b->done = from; i < to; b->done = ++i) {
        if (!marked[i])
            continue;
        start(r, derived(seed, (uint64_t)numbers[i]));
        advance(r);
        if (r->stopped)
            return r->stopped;
        b->length[i] = 0;
        if (!note(r, b, i))
            return NO_ACTION;
    }
    return NOT_STOPPED;
}

/* First unfinished state with an illegal action, -1 if there is none. */
SHOWN int64_t game_batch_wrong(const batch *b, int64_t from, int64_t to, const int64_t *taken) {
    for (int64_t i = from; i < to; i++)
        if (b->seat[i] >= 0 && (taken[i] < 0 || taken[i] >= b->actions || !b->mask[i * b->actions + taken[i]]))
            return i;
    return -1;
}

/* Apply a legal action to each unfinished state. */
SHOWN int game_batch_step(run *r, batch *b, int64_t from, int64_t to, const int64_t *taken) {
    int32_t row[ROW];
    for (int64_t i = b->done = from; i < to; b->done = ++i) {
        if (b->seat[i] < 0)
            continue;
        int32_t option = b->option_of[taken[i]];
        const numbering *numbered = &b->numberings[option];
        copy_cells(S, b->cells + i * SIZE, SIZE);
        int arguments = ARGUMENTS[option];
        int64_t place = taken[i] - numbered->first;
        for (int j = arguments; j > 0; j--) {
            int32_t size = numbered->domains[j - 1][1];
            row[j] = numbered->domains[j - 1][0] + (int32_t)(place % size);
            place /= size;
        }
        row[0] = option - FIRST_WAY[S[AT_DECISION]];
        choose(r, row, 0);
        advance(r);
        if (r->stopped)
            return r->stopped;
        b->length[i]++;
        if (!note(r, b, i))
            return NO_ACTION;
    }
    return NOT_STOPPED;
}

/* Write a uniformly random legal action for each state, from a stream each; 0 at the end. */
SHOWN void game_batch_sample(const batch *b, int64_t from, int64_t to, stream *lucks, int64_t *taken) {
    for (int64_t i = from; i < to; i++) {
        const int8_t *mask = b->mask + i * b->actions;
        int64_t legal = 0, action = 0, a = 0;
        for (; a + 8 <= b->actions; a += 8)
            legal += ones(*(const eight *)(mask + a));
        for (; a < b->actions; a++)
            legal += mask[a];
        if (legal) {
            int64_t left = below(&lucks[i], legal);
            while (action + 8 <= b->actions && ones(*(const eight *)(mask + action)) <= left) {
                left -= ones(*(const eight *)(mask + action));
                action += 8;
            }
            while (!mask[action] || left--)
                action++;
        }
        taken[i] = action;
    }
}

/* Write the observation of a viewer for each state, as vectors of `entries` + 3 numbers. */
SHOWN void game_batch_observe(const batch *b, int64_t from, int64_t to, const int32_t *viewers, int32_t *vectors) {
    for (int64_t i = from; i < to; i++) {
        const cell *cells = b->cells + i * SIZE;
        int32_t *vector = vectors + i * (b->entries + 3);
        cell decision = cells[AT_DECISION], viewer = viewers[i];
        int own = cells[AT_SEAT] == viewer;
        vector[0] = (int32_t)viewer;
        vector[1] = (int32_t)cells[AT_SEAT] + 1;
        vector[2] = decision < 0 ? 0 : (int32_t)decision + 1;
        for (int64_t n = 0; n < b->entries; n++) {
            const entry *e = &b->seen[n];
            cell value = 0;
            if ((e->seats >> viewer & 1) && (e->decision < 0 || e->decision == decision) && (own || !e->own))
                switch (e->reading) {
                case A_CELL:
                    value = cells[e->at] + e->number;
                    break;
                case A_SUM:
                    for (int64_t j = 0; j < e->number; j++)
                        value += cells[e->at + j];
                    break;
                case IS_THERE:
                    value = cells[e->at] >= 0;
                    break;
                default:
                    if (e->number < cells[e->at]) {
                        int64_t from_top = e->at + cells[e->at] - e->number;
                        value = cells[e->reading == AS_LAID ? e->at + 1 + e->number : from_top] + 1;
                    }
                }
            vector[3 + n] = (int32_t)value;
        }
    }
}

/* Random games of a series: writes for each the number of decisions, the winners as bits, and the cells at some
   addresses. */
SHOWN int game_batch_playouts(run *r, uint64_t seed, int64_t first, int64_t last, int64_t limit, const int64_t *asked,
                                int64_t answers, int64_t *told, int64_t *done) {
    for (int64_t number = *done = first; number < last; *done = ++number) {
        uint64_t own = derived(seed, (uint64_t)number);
        stream luck = stream_of(own, FOR_SAMPLING, 0, 0);
        int64_t *row = told + (number - first) * (2 + answers);
        start(r, own);
        advance(r);
        row[0] = r->stopped ? 0 : play_on(r, &luck, limit);
        if (r->stopped)
            return r->stopped;
        row[1] = S[AT_DECISION] == OVER ? S[AT_WINNERS] : 0;
        for (int64_t i = 0; i < answers; i++)
            row[2 + i] = S[asked[i]];
    }
    return NOT_STOPPED;
}
