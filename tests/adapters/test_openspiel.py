"""OpenSpiel adapter: OpenSpiel's conformance test, and the parameters of games."""

from __future__ import annotations

from pathlib import Path

import pyspiel
import pytest

from tests.small_games import write_rules
from wongar_dsl.adapters.openspiel import PREFIX, register
from wongar_dsl.base.diagnostics import RulesError
from wongar_dsl.engine import library

#: `make conformance` runs all games; these are quick.
QUICK = ["goofspiel(players=3)", "kuhn_poker", "nim", "tictactoe", "kuhn_poker(utility=score)"]


@pytest.mark.parametrize("name", QUICK)
def test_game_conforms(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(PREFIX + name), num_sims=2, serialize=True, verbose=False)
    capfd.readouterr()


def test_every_game_is_registered() -> None:
    assert {PREFIX + name for name in library.builtin_games()} <= set(pyspiel.registered_names())


def test_variants_seats_and_settings_are_parameters() -> None:
    game = pyspiel.load_game("rules_ubongo(variant=hard+long,players=3,sandglass=90)")
    assert game.num_players() == 3
    assert game.tree.game.name == "ubongo/hard/long"
    assert game.tree.game.settings == {"hard_side": 1, "long_game": 1, "sandglass": 90}
    assert str(game) == "rules_ubongo(players=3,sandglass=90,variant=hard+long)"
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    for wrong in ("rules_nim(players=9)", "rules_nim(utility=fun)", "rules_ubongo(sandglass=1)"):
        with pytest.raises(ValueError, match=r"."):
            pyspiel.load_game(wrong)


def test_game_type_reports_chance_information_and_dynamics() -> None:
    kinds = {name: pyspiel.load_game(PREFIX + name).get_type() for name in ("nim", "kuhn_poker", "goofspiel")}
    types = pyspiel.GameType
    assert [kind.chance_mode == types.ChanceMode.EXPLICIT_STOCHASTIC for kind in kinds.values()] == [False, True, True]
    assert [kind.information == types.Information.IMPERFECT_INFORMATION for kind in kinds.values()] == [
        False,
        True,
        True,
    ]
    assert [kind.dynamics == types.Dynamics.SIMULTANEOUS for kind in kinds.values()] == [False, False, True]


def test_clone_is_independent_and_shares_the_tree() -> None:
    state = pyspiel.load_game("rules_nim").new_initial_state()
    twin = state.clone()
    twin.apply_action(twin.legal_actions()[0])
    assert str(twin) != str(state)
    assert twin.tree is state.tree
    restored = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1]
    assert str(restored) == str(state)
    assert restored.tree is state.tree


def test_public_observation_holds_no_card_of_a_hand() -> None:
    game = pyspiel.load_game("rules_kuhn_poker")
    public = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    state = game.new_initial_state()
    for _ in range(2):
        assert state.is_chance_node()
        assert sum(p for _, p in state.chance_outcomes()) == pytest.approx(1)
        state.apply_action(0)
    assert "\nholding[1]: " in state.observation_string(0)
    assert state.information_state_string(0) != state.information_state_string(1)
    assert len(state.observation_tensor(0)) == state.tree.observations.size
    shown = game.make_py_observer(public).string_from(state, 0)
    assert "size of holding[1]: 1" in shown
    assert "\nholding[" not in shown
    all_players = pyspiel.PrivateInfoType.ALL_PLAYERS
    with pytest.raises(ValueError, match="observers show what one player sees"):
        game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=False, private_info=all_players))


RACE = """
play
    player(1) chooses go_on
        stop
            player(1) wins
"""


def test_user_rule_file_is_registered(tmp_path: Path) -> None:
    name = register(write_rules(tmp_path, RACE))
    assert name == "rules_small"
    state = pyspiel.load_game(name).new_initial_state()
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["stop"]
    state.apply_action(0)
    assert state.returns() == [1, -1]
    with pytest.raises(RulesError):
        register(write_rules(tmp_path, "play\n    nobody"))
