/* Connect Four written in C by hand, as a reference: random games from the first disc to the end.

   usage: connect_four plain|bits GAMES SEED     prints the number of decisions and the CPU time in seconds

   `plain` stores the board as an array with a border and checks the four lines through the last disc; `bits` stores the
   discs of each player in a word (bitboard) and finds four in a row by shifts.  Both choose from a list of the columns
   that are not full, with the random generator of the rules, seeded for each game. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLUMNS = 7, ROWS = 6, STRIDE = COLUMNS + 2 };

/* SplitMix64 with a separate increment for each game. */
typedef struct { uint64_t counter, step; } stream;

static inline uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static stream stream_of(uint64_t seed) {
    stream s;
    s.step = mix(seed + 0x9E3779B97F4A7C15u) | 1;
    s.counter = mix(s.step);
    return s;
}

static inline int below(stream *s, int n) {
    s->counter += s->step;
    return (int)(((mix(s->counter) >> 32) * (uint64_t)n) >> 32);
}

/* ---- plain ---- */

static int in_line(const int8_t *place, int way, int8_t player) {
    int count = 1;
    for (const int8_t *p = place + way; *p == player; p += way)
        count++;
    for (const int8_t *p = place - way; *p == player; p -= way)
        count++;
    return count >= 4;
}

/* Play a game and return its number of decisions; `winner` becomes 1 or 2, or 0 in a draw. */
static int play_plain(stream *luck, int *winner) {
    int8_t board[(ROWS + 2) * STRIDE] = {0}, height[COLUMNS] = {0};
    int8_t player = 1;
    for (int n = 0;; n++) {
        int legal[COLUMNS], count = 0;
        for (int column = 0; column < COLUMNS; column++)
            if (height[column] < ROWS)
                legal[count++] = column;
        if (!count) {
            *winner = 0;
            return n;
        }
        int column = legal[below(luck, count)];
        int8_t *place = board + (1 + height[column]++) * STRIDE + 1 + column;
        *place = player;
        if (in_line(place, 1, player) || in_line(place, STRIDE, player) || in_line(place, STRIDE + 1, player) ||
            in_line(place, STRIDE - 1, player)) {
            *winner = player;
            return n + 1;
        }
        player = 3 - player;
    }
}

/* ---- bits ---- */

static int play_bits(stream *luck, int *winner) {
    static const int ways[] = {1, ROWS + 1, ROWS + 2, ROWS};
    uint64_t discs[2] = {0, 0};
    int height[COLUMNS];
    for (int column = 0; column < COLUMNS; column++)
        height[column] = column * (ROWS + 1);
    for (int n = 0;; n++) {
        int legal[COLUMNS], count = 0;
        for (int column = 0; column < COLUMNS; column++)
            if (height[column] < column * (ROWS + 1) + ROWS)
                legal[count++] = column;
        if (!count) {
            *winner = 0;
            return n;
        }
        int player = n % 2;
        uint64_t mine = discs[player] |= (uint64_t)1 << height[legal[below(luck, count)]]++;
        for (int i = 0; i < 4; i++) {
            uint64_t pairs = mine & mine >> ways[i];
            if (pairs & pairs >> 2 * ways[i]) {
                *winner = player + 1;
                return n + 1;
            }
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 4 || (strcmp(argv[1], "plain") && strcmp(argv[1], "bits"))) {
        fprintf(stderr, "usage: connect_four plain|bits GAMES SEED\n");
        return 2;
    }
    int (*play)(stream *, int *) = strcmp(argv[1], "bits") ? play_plain : play_bits;
    long games = atol(argv[2]), decisions = 0, ends[3] = {0};
    uint64_t seed = (uint64_t)atoll(argv[3]) << 32;
    clock_t begin = clock();
    for (long i = 0; i < games; i++) {
        int winner;
        stream luck = stream_of(seed + (uint64_t)i);
        decisions += play(&luck, &winner);
        ends[winner]++;
    }
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    printf("%ld %f draws %ld, first %ld, second %ld\n", decisions, seconds, ends[0], ends[1], ends[2]);
    return 0;
}
