/* Plays a random game and prints its moves, or counts the possible games up to a depth:

       play [SEED]
       play perft DEPTH [SEED]
       play perft-chance DEPTH [SEED]

   It needs only game.h, which `wongar compile` writes. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game.h"

enum { ROOM = 64 << 20, DEEPEST = 60 };

static int failed(const game_run *run, int32_t result) {
    if (result == GAME_FAULTED)
        fprintf(stderr, "fault %s in %s, line %" PRId32 "\n", game_fault(run), game_fault_rule(run), game_fault_line(run));
    else
        fprintf(stderr, "stopped: %" PRId32 "\n", result);
    return 1;
}

static int play(game_run *run, uint64_t seed) {
    game_luck luck = game_luck_of(seed);
    char text[GAME_LONGEST_MOVE];
    int32_t result = game_start(run, seed);
    int moves = 0;
    while (result == GAME_DECIDES) {
        int32_t number = game_random(&luck, game_count(run));
        game_text(run, number, text, sizeof text);
        printf("%d. seat %" PRId32 ", %s: %s\n", ++moves, game_seat(run) + 1, game_decision_name(game_decision(run)), text);
        result = game_choose(run, number, 0);
    }
    if (result != GAME_ENDED)
        return failed(run, result);
    for (int32_t seat = 0; seat < GAME_SEATS; seat++)
        printf("seat %" PRId32 "%s, points %" PRId64 "\n", seat + 1, game_winners(run) >> seat & 1 ? " has won" : "",
               game_points(run, seat));
    return 0;
}

static int count(game_run *run, int32_t depth, int32_t chance, uint64_t seed) {
    game_level levels[DEEPEST + 1];
    int32_t made = game_perft(run, seed, depth, chance, levels);
    if (made < 0)
        return failed(run, -made);
    for (int32_t steps = 1; steps < made; steps++) {
        if (levels[steps].courses[1])
            printf("%" PRId32 ": too many\n", steps);
        else
            printf("%" PRId32 ": %" PRIu64 " courses, %" PRIu64 " of them over, %" PRIu64 " positions\n", steps,
                   levels[steps].courses[0], levels[steps].over[0], levels[steps].different);
    }
    return 0;
}

/* Parse a whole number from 0 on; `otherwise` if there is no text.  Clears `*good` if the text is not a number. */
static uint64_t number(const char *written, uint64_t otherwise, int *good) {
    char *end;
    if (!written)
        return otherwise;
    uint64_t read = strtoull(written, &end, 10);
    *good &= *written >= '0' && *written <= '9' && !*end;
    return read;
}

int main(int arguments, char **argument) {
    int result, good = 1;
    int counts = arguments > 1 && (!strcmp(argument[1], "perft") || !strcmp(argument[1], "perft-chance"));
    int first = counts ? 2 : 1, given = arguments - first;
    uint64_t depth = counts ? number(given > 0 ? argument[first] : "", 0, &good) : 0;
    uint64_t seed = number(given > counts ? argument[first + counts] : NULL, 0, &good);
    if (!good || given > counts + 1 || depth > DEEPEST) {
        fprintf(stderr, "write play [SEED], play perft DEPTH [SEED] or play perft-chance DEPTH [SEED]\n");
        return 2;
    }
    void *memory = aligned_alloc(16, ROOM);
    game_run *run = memory ? game_make(memory, ROOM) : NULL;
    if (!run || game_abi() != GAME_ABI) {
        fprintf(stderr, "no memory, or another game.h\n");
        return 1;
    }
    if (counts)
        result = count(run, (int32_t)depth, !strcmp(argument[1], "perft-chance"), seed);
    else
        result = play(run, seed);
    free(memory);
    return result;
}
