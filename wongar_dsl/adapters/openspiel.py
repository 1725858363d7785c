"""OpenSpiel adapter.  Every built-in game is registered as `rules_` and its name.

Parameters are the variant (several joined by `+`), the number of players (0: the minimum), and the settings of the game
by name.  A setting that is one below its minimum has the default of the rules.  `utility` is the meaning of returns,
and `longest` the maximum number of actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

try:
    import numpy as np
    import pyspiel
except ImportError as error:
    raise ImportError("this needs OpenSpiel and numpy, which come with the extra `openspiel`") from error

from wongar_dsl.adapters.actions import max_chance_outcomes
from wongar_dsl.adapters.episode import MAX_ACTIONS, Utility
from wongar_dsl.adapters.game_tree import GameTree, TreePosition, tree_of
from wongar_dsl.engine import Game, State, library
from wongar_dsl.engine.hidden_information.information import copies
from wongar_dsl.engine.hidden_information.observation import content

PREFIX = "rules_"
#: Bounds for scores as returns.
SCORES = 1_000_000.0
#: Parameter types of OpenSpiel.
Parameters = dict[str, str | int]
#: Parameters of every game.  No setting of a game has such a name.
_COMMON: Parameters = {"variant": "", "players": 0, "utility": "win", "longest": MAX_ACTIONS}


def register(rules: str | Path, short_name: str = "") -> str:
    """Register a game, given its name or the path of its rule file, and return its OpenSpiel name.

    Raises `RulesError` for invalid rules.
    """
    rule_file = library.load(rules)
    name = short_name or PREFIX + rule_file.name.replace("/", "_")
    settings = {setting: declared.low - 1 for setting, declared in rule_file.model.settings.items()}
    defaults: Parameters = {**settings, **_COMMON}
    game_type = _type(rule_file.game(rule_file.model.players[0]), name, defaults, rule_file.model.players, "win")

    # A class, not a function: OpenSpiel releases it after Python has finalised, which only a class survives.
    class Registered(RulesGame):
        """The registered game, as OpenSpiel creates it."""

        def __init__(self, parameters: Parameters | None = None) -> None:
            super().__init__(rules, name, defaults, {**defaults, **(parameters or {})})

    pyspiel.register_game(game_type, Registered)
    return name


class RulesGame(pyspiel.Game):  # type: ignore[misc]
    """OpenSpiel game with its parameters.  All its states share the tree of the game."""

    def __init__(self, rules: str | Path, name: str, defaults: Parameters, parameters: Parameters) -> None:
        """Load the game for `pyspiel.load_game`.  Raises ValueError for parameters that the rules do not allow."""
        variant, utility = str(parameters["variant"]), str(parameters["utility"])
        if utility not in ("win", "score"):
            raise ValueError(f"utility is win or score, not {utility!r}")
        settings = {
            setting: int(value)
            for setting, value in parameters.items()
            if setting not in _COMMON and value != defaults[setting]
        }
        self.tree = tree_of(
            f"{rules}+{variant}" if variant else rules,
            int(parameters["players"]) or None,
            tuple(sorted(settings.items())),
            int(parameters["longest"]),
            cast(Utility, utility),
        )
        game = self.tree.game
        loss, gain = (-1.0, 1.0) if utility == "win" else (-SCORES, SCORES)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.tree.actions.size,
            max_chance_outcomes=self.tree.sides,
            num_players=game.seats,
            min_utility=loss,
            max_utility=gain,
            utility_sum=0.0 if utility == "win" and game.seats > 1 else None,
            max_game_length=self.tree.longest,
        )
        changed = {parameter: value for parameter, value in parameters.items() if value != defaults[parameter]}
        super().__init__(_type(game, name, defaults, game.model.players, self.tree.utility), info, changed)

    def new_initial_state(self) -> RulesState:
        """Return the initial state."""
        return RulesState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RulesObserver:
        """Return an observer for observations, or for information states with perfect recall."""
        return RulesObserver(self.tree, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class RulesState(pyspiel.State):  # type: ignore[misc]
    """OpenSpiel state: a position in the game tree."""

    def __init__(self, game: RulesGame) -> None:
        """Create an initial state for `RulesGame.new_initial_state`."""
        super().__init__(game)
        self.tree: GameTree = game.tree
        self.position: TreePosition = _root(game.tree)

    def current_player(self) -> int:
        """Return the seat to act, or a special player for simultaneous, chance and terminal nodes."""
        position = self.position
        if self.tree.over(position):
            return int(pyspiel.PlayerId.TERMINAL)
        if position.sides:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.SIMULTANEOUS) if self.tree.is_simultaneous(position) else position.acting[0]

    def is_terminal(self) -> bool:
        """Return whether the game has ended or was truncated."""
        return self.tree.over(self.position)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return all outcomes of a throw with equal probabilities."""
        sides = self.position.sides
        return [(outcome, 1 / sides) for outcome in range(sides)]

    def returns(self) -> list[float]:
        """Return the utility of the end for each player."""
        return list(self.tree.returns(self.position))

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal[player])

    def _apply_action(self, action: int) -> None:
        step = self.tree.chance_successor if self.position.sides else self.tree.successor
        self.position = step(self.position, action)

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self.position = self.tree.joint_successor(self.position, actions)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action + 1} of {self.position.sides}"
        return self.tree.actions.text(action)

    def __str__(self) -> str:
        """Return the complete state, including hidden information, one line per field."""
        game, position = self.tree.game, self.position
        state = State(game, list(position.cells))
        lines = [f"decision: {state.decision.name if state.decision is not None else None}"]
        for field in game.program.fields:
            for key, _, address in game.copies[field.name] if field.kind not in ("holder", "place") else ():
                lines.append(f"{field.name}{f'[{key}]' if key else ''}: {content(state, field, address)}")
        lines += [f"{field.name}: {[position.cells[address] for _, address in copies(field)]}"
                  for field in game.program.fields if field.kind in ("holder", "place")]  # fmt: skip
        if position.rolls or position.begun:
            lines.append(f"under way: {[*position.begun, *position.rolls]}")
        return "\n".join(lines)


class RulesObserver:
    """Observer of states for one player.

    `tensor` is the observation vector.  With perfect recall there is no tensor, and the string contains all
    observations, messages and actions of the player.
    """

    def __init__(self, tree: GameTree, iig_obs_type: Any, params: Any) -> None:
        """Create an observer.  Raises ValueError for parameters, and for private information of all players."""
        if params:
            raise ValueError(f"observers have no parameters, these were given: {params}")
        if iig_obs_type.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("observers show what one player sees, or what everybody does")
        self._tree, self._perfect_recall = tree, iig_obs_type.perfect_recall
        self._single_player = iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor = None if self._perfect_recall else np.zeros(tree.observations.size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: RulesState, player: int) -> None:
        """Write the observation of a player into `tensor`."""
        if self.tensor is not None:
            self.tensor[:] = self._vector(state, player)

    def string_from(self, state: RulesState, player: int) -> str:
        """Return the observation of a player by names, or its information state with perfect recall."""
        if self._perfect_recall:
            return state.position.information[player]
        numbers = self._vector(state, player).tolist()
        named = zip(self._tree.observations.names, numbers, strict=True)
        return "\n".join(f"{name}: {number}" for name, number in named if number)

    def _vector(self, state: RulesState, player: int) -> Any:
        return self._tree.observe(state.position, player if self._single_player else None)


# ---- game type and registration ------------------------------------------------------------------------------------


@cache
def _root(tree: GameTree) -> TreePosition:
    """Return the cached root of a tree."""
    return tree.root()


def _type(
    game: Game, name: str, defaults: Mapping[str, str | int], players: tuple[int, int], utility: Utility
) -> pyspiel.GameType:
    game_type = pyspiel.GameType
    is_hidden = any(field.seen != "all" for field in game.program.fields)
    is_simultaneous = any(decision.simultaneous for decision in game.program.decisions)
    return game_type(
        short_name=name,
        long_name=game.name,
        dynamics=game_type.Dynamics.SIMULTANEOUS if is_simultaneous else game_type.Dynamics.SEQUENTIAL,
        chance_mode=game_type.ChanceMode.EXPLICIT_STOCHASTIC
        if max_chance_outcomes(game, 0) > 1
        else game_type.ChanceMode.DETERMINISTIC,
        information=game_type.Information.IMPERFECT_INFORMATION
        if is_hidden or is_simultaneous
        else game_type.Information.PERFECT_INFORMATION,
        utility=game_type.Utility.ZERO_SUM if utility == "win" and players[0] > 1 else game_type.Utility.GENERAL_SUM,
        reward_model=game_type.RewardModel.TERMINAL,
        max_num_players=players[1],
        min_num_players=players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=dict(defaults),
    )


for _name in library.builtin_games():
    register(_name)
