"""Hand-written Python version of Wongar's base game: random games from setup to final scoring.

It is the yardstick for the `python` backend: lists of small integers, precomputed tables, and control flow as plain
calls, without copying, undo or events. It uses the random numbers of `wongar_dsl.compiler.backends.rng`, so it plays
the same games as `Backend.playouts`, choice for choice.

Areas, seats, tokens and cards are integers; the numbers of areas and cards follow `rules/wongar/wongar.rules`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from wongar_dsl.compiler.backends.rng import MASK, Purpose, derive, start

#: Neighbours of each area, and below, areas at most two steps away.
TOUCHING = (
    (1, 3, 4), (0, 2, 4, 5), (1, 5, 6),
    (0, 4, 7), (0, 1, 3, 5, 7, 8), (1, 2, 4, 6, 8, 9), (2, 5, 9),
    (3, 4, 8), (4, 5, 7, 9), (5, 6, 8),
)  # fmt: skip
AREAS = range(len(TOUCHING))
ADJACENT = tuple(
    tuple(sorted({*near, *chain.from_iterable(TOUCHING[neighbour] for neighbour in near)} - {area}))
    for area, near in enumerate(TOUCHING)
)
HANDS, FOOT = 4, 5
#: Initial tokens per area and player; central areas get twice as many.
FIRST_TOKENS = tuple(2 if area in (HANDS, FOOT) else 1 for area in AREAS)
TOKENS = range(3)
SUPPLY, BAG = (18, 15, 12), 4

# The first three cards of both decks are those for one kind of token, by its number.
THREE_TOKENS, FOUR_RITUALS, ANCESTOR, ELDER, BOTH, SCORPION = range(3, 9)
AREA_DECK = (0, 0, 0, 1, 1, 2, 3, 4, 5, 5, 6, 6, 7, 8, 8)
DOUBLE_RITUAL, RITUAL_SCORPION = 3, 4
RITUAL_DECK = (0,) * 14 + (1,) * 12 + (2,) * 10 + (DOUBLE_RITUAL,) * 5 + (RITUAL_SCORPION,) * 2

#: Phase of each space of the scorpion, and points per kind of token by caller of the ceremony and phase.
PHASE = (0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2)
LAST_SPACE = len(PHASE) - 1
ALONE_ANCESTOR, ALONE_ELDER, TOGETHER = (4, 5, 7), (3, 4, 6), (2, 3, 5)
CARDS_BONUS = 8


class Stream:
    """Random number generator that counts its calls."""

    __slots__ = ("asked", "counter", "step")

    def __init__(self, seed: int, purpose: Purpose) -> None:
        self.counter, self.step = start(seed, purpose)
        self.asked = 0

    def below(self, n: int) -> int:
        """Return a number below n, which must be positive."""
        self.asked += 1
        if n == 1:
            return 0
        self.counter = z = (self.counter + self.step) & MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return ((z ^ (z >> 31)) * n) >> 64


def shuffle(cards: list[int], below: Callable[[int], int]) -> None:
    """Shuffle cards in place."""
    for i in range(len(cards) - 1, 0, -1):
        j = below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]


class Wongar:
    """A game for a number of seats; `choose` returns an option's index, given the number of options."""

    def __init__(self, seats: int, seed: int, choose: Callable[[int], int]) -> None:
        """Set up the game before the first round."""
        self.seats, self.choose = seats, choose
        self.roll = Stream(seed, Purpose.SETUP).below
        #: Indices: seat and token; area, token and seat; area and seat (all tokens); seat and card.
        self.supply = [[n - BAG for n in SUPPLY] for _ in range(seats)]
        self.ground = [[[0] * seats for _ in TOKENS] for _ in AREAS]
        self.standing = [[0] * seats for _ in AREAS]
        self.taken = [[0] * (SCORPION + 1) for _ in range(seats)]
        self.hand = [[0] * (RITUAL_SCORPION + 1) for _ in range(seats)]
        self.discards: list[int] = []
        self.points = [0] * seats
        self.scorpion, self.last_round = 0, False
        self._lay_area_cards()
        self._place_first_tokens()
        self._deal_rituals()
        first = self.roll(seats)
        second = self.roll(seats - 1)
        self.ancestor_holder = self.boomerang_holder = first
        self.elder_holder = second + (second >= first)
        self.ancestor, self.elder = HANDS, FOOT
        self.roll = Stream(seed, Purpose.PLAY).below

    def _lay_area_cards(self) -> None:
        """Shuffle a pile for each area, with the top card last, and turn up a card that is no scorpion."""
        self.piles = []
        self.face_up = []
        for _ in AREAS:
            pile = list(AREA_DECK)
            shuffle(pile, self.roll)
            card = pile.pop()
            while card == SCORPION:
                pile.insert(0, card)
                card = pile.pop()
            self.piles.append(pile)
            self.face_up.append(card)

    def _place_first_tokens(self) -> None:
        bags = [[BAG] * len(TOKENS) for _ in range(self.seats)]
        remaining = [BAG * len(TOKENS)] * self.seats
        for area in AREAS:
            for _ in range(self.seats * FIRST_TOKENS[area]):
                n = self.roll(sum(remaining))
                owner = 0
                while n >= remaining[owner]:
                    n -= remaining[owner]
                    owner += 1
                bag = bags[owner]
                n = self.roll(remaining[owner])
                kind = 0
                while n >= bag[kind]:
                    n -= bag[kind]
                    kind += 1
                bag[kind] -= 1
                remaining[owner] -= 1
                self.ground[area][kind][owner] += 1
                self.standing[area][owner] += 1

    def _deal_rituals(self) -> None:
        self.ritual_pile = pile = list(RITUAL_DECK)
        shuffle(pile, self.roll)
        self.set_aside = 0
        for hand in self.hand:
            for _ in range(2):
                while pile[-1] == RITUAL_SCORPION:
                    pile.pop()
                    self.set_aside += 1
                hand[pile.pop()] += 1
        self._put_back_scorpions()
        shuffle(pile, self.roll)

    # ---- game flow ----

    def play(self) -> None:
        """Play to the end."""
        while True:
            self._draw_ritual(self.elder_holder)
            for n in range(self.boomerang_holder, self.boomerang_holder + self.seats):
                self._take_turn(n % self.seats)
            if self.last_round:
                break
            if self.ancestor_holder == self.boomerang_holder:
                self.ancestor_holder = (self.ancestor_holder + 1) % self.seats
            self.boomerang_holder = self.ancestor_holder
            self._turn_up_cards()
        for kind in TOKENS:
            cards = [cards_of_seat[kind] for cards_of_seat in self.taken]
            most = max(cards)
            if most:
                for seat, count in enumerate(cards):
                    if count == most:
                        self.points[seat] += CARDS_BONUS

    def _turn_up_cards(self) -> None:
        finder = self.ancestor_holder
        face_up = self.face_up
        for area, pile in enumerate(self.piles):
            while face_up[area] < 0 and pile:
                card = pile.pop()
                if card == SCORPION:
                    self.taken[finder][card] += 1
                    self._scorpion_strikes(finder)
                else:
                    face_up[area] = card
            if face_up[area] < 0:
                self.last_round = True

    def _take_turn(self, me: int) -> None:
        face_up = self.face_up
        open_areas = [area for area in AREAS if face_up[area] >= 0]
        if not open_areas:
            return
        area = open_areas[self.choose(len(open_areas))]
        card = face_up[area]
        face_up[area] = -1
        self.taken[me][card] += 1
        if not self.piles[area]:
            self.last_round = True
        if card < THREE_TOKENS:
            self._place_tokens(me, area, card)
        elif card == THREE_TOKENS:
            self._place_three(me)
        elif card == FOUR_RITUALS:
            for _ in range(4):
                self._draw_ritual(me)
        elif card == ANCESTOR:
            self.ancestor_holder = me
            near = TOUCHING[self.ancestor]
            self.ancestor = near[self.choose(len(near))]
            self._ceremony(self.ancestor, ALONE_ANCESTOR)
        elif card == ELDER:
            self.elder_holder = me
            near = ADJACENT[self.elder]
            self.elder = near[self.choose(len(near))]
            self._ceremony(self.elder, ALONE_ELDER)
        else:
            self.ancestor_holder = self.elder_holder = me
            self.ancestor = self.elder = area
            self._ceremony(area, TOGETHER)

    # ---- area cards ----

    def _place(self, me: int, kind: int, there: int) -> None:
        self.supply[me][kind] -= 1
        self.ground[there][kind][me] += 1
        self.standing[there][me] += 1

    def _place_tokens(self, me: int, here: int, kind: int) -> None:
        supply = self.supply[me]
        if supply[kind]:
            self._place(me, kind, here)
        for _ in range(2):
            places = len(AREAS) if supply[kind] else 0
            draws = 1 if self._ritual_left() else 0
            choice = self.choose(places + draws + 1)
            if choice < places:
                self._place(me, kind, choice)
            elif choice < places + draws:
                self._draw_ritual(me)

    def _place_three(self, me: int) -> None:
        supply = self.supply[me]
        kinds = [kind for kind in TOKENS if supply[kind]]
        if not kinds:
            return
        kind = kinds[self.choose(len(kinds))]
        for _ in range(3):
            if supply[kind]:
                self._place(me, kind, self.choose(len(AREAS)))

    # ---- ritual cards ----

    def _ritual_left(self) -> bool:
        pile = self.ritual_pile
        return bool(self.discards) or len(pile) > pile.count(RITUAL_SCORPION)

    def _draw_ritual(self, who: int) -> None:
        self._renew_ritual_pile()
        pile = self.ritual_pile
        while pile[-1:] == [RITUAL_SCORPION] and self._ritual_left():
            pile.pop()
            self.set_aside += 1
            self._scorpion_strikes(who)
            if self.set_aside == 2:
                self._put_back_discards()
                self._put_back_scorpions()
                shuffle(pile, self.roll)
            self._renew_ritual_pile()
        if self._ritual_left():
            self.hand[who][pile.pop()] += 1

    def _renew_ritual_pile(self) -> None:
        if not self.ritual_pile and self.discards:
            self._put_back_discards()
            shuffle(self.ritual_pile, self.roll)

    def _put_back_discards(self) -> None:
        """Sort the discards by number, so that shuffling is reproducible."""
        self.ritual_pile += sorted(self.discards)
        self.discards.clear()

    def _put_back_scorpions(self) -> None:
        self.ritual_pile += [RITUAL_SCORPION] * self.set_aside
        self.set_aside = 0

    def _scorpion_strikes(self, who: int) -> None:
        if self.scorpion < LAST_SPACE:
            self.scorpion += 1
            if self.scorpion == LAST_SPACE:
                self.last_round = True
        mine = self.points[who]
        self.points[who] -= sum(points < mine for points in self.points)

    # ---- ceremonies ----

    def _ceremony(self, here: int, worth: tuple[int, int, int]) -> None:
        standing = self.standing[here]
        takes_part = [count > 0 for count in standing]
        seats = self.seats
        while True in takes_part:
            for n in range(self.ancestor_holder, self.ancestor_holder + seats):
                seat = n % seats
                if takes_part[seat]:
                    takes_part[seat] = standing[seat] > 0 and self._play_ritual(here, seat)
        for row in self.ground[here]:
            most = max(row)
            if most:
                seat = self.ancestor_holder
                while row[seat] != most:
                    seat = (seat + 1) % seats
                self.points[seat] += worth[PHASE[self.scorpion]]

    def _play_ritual(self, here: int, me: int) -> bool:
        """Let a seat play a card or stop; return whether it continues."""
        hand = self.hand[me]
        cards = []
        can_use = False
        for kind in TOKENS:
            if any(self.ground[here][kind]) or self._sources(here, me, kind):
                can_use = True
                if hand[kind]:
                    cards.append(kind)
        if can_use and hand[DOUBLE_RITUAL]:
            cards.append(DOUBLE_RITUAL)
        choice = self.choose(len(cards) + 1)
        if choice == len(cards):
            return False
        card = cards[choice]
        hand[card] -= 1
        self.discards.append(card)
        if card == DOUBLE_RITUAL:
            self._double_deed(here, me)
        else:
            self._deed(here, me, card)
        return True

    def _owners(self, here: int, me: int, kind: int) -> list[int]:
        """Return the other seats with tokens that can be removed."""
        return [seat for seat, count in enumerate(self.ground[here][kind]) if count and seat != me]

    def _sources(self, here: int, me: int, kind: int) -> list[int]:
        """Return the neighbouring areas from which the seat's own tokens can be moved."""
        ground = self.ground
        return [neighbour for neighbour in TOUCHING[here] if ground[neighbour][kind][me]]

    def _remove(self, here: int, owner: int, kind: int) -> None:
        self.ground[here][kind][owner] -= 1
        self.standing[here][owner] -= 1
        self.supply[owner][kind] += 1

    def _move(self, me: int, kind: int, here: int, there: int) -> None:
        self.ground[here][kind][me] -= 1
        self.standing[here][me] -= 1
        self.ground[there][kind][me] += 1
        self.standing[there][me] += 1

    def _deed(self, here: int, me: int, kind: int) -> None:
        owners = self._owners(here, me, kind)
        near = TOUCHING[here] if self.ground[here][kind][me] else ()
        sources = self._sources(here, me, kind)
        choice = self.choose(len(owners) + len(near) + len(sources))
        if choice < len(owners):
            self._remove(here, owners[choice], kind)
            return
        choice -= len(owners)
        if choice < len(near):
            self._move(me, kind, here, near[choice])
        else:
            self._move(me, kind, sources[choice - len(near)], here)

    def _double_deed(self, here: int, me: int) -> None:
        removable = [kind for kind in TOKENS if self._owners(here, me, kind)]
        owned = [kind for kind in TOKENS if self.ground[here][kind][me]]
        fetchable = [kind for kind in TOKENS if self._sources(here, me, kind)]
        choice = self.choose(len(removable) + len(owned) + len(fetchable))
        if choice < len(removable):
            kind = removable[choice]
            for _ in range(2):
                owners = self._owners(here, me, kind)
                if owners:
                    self._remove(here, owners[self.choose(len(owners))], kind)
            return
        choice -= len(removable)
        if choice < len(owned):
            for _ in range(2):
                if self.ground[here][owned[choice]][me]:
                    self._move(me, owned[choice], here, TOUCHING[here][self.choose(len(TOUCHING[here]))])
            return
        kind = fetchable[choice - len(owned)]
        for _ in range(2):
            sources = self._sources(here, me, kind)
            if sources:
                self._move(me, kind, sources[self.choose(len(sources))], here)


def playouts(seats: int, seed: int, first: int, last: int) -> int:
    """Play the random games of a series, as `Backend.playouts` does; return the number of decisions."""
    decisions = 0
    for number in range(first, last):
        game_seed = derive(seed, number)
        luck = Stream(game_seed, Purpose.SAMPLING)
        Wongar(seats, game_seed, luck.below).play()
        decisions += luck.asked
    return decisions
