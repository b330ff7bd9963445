"""The tests that `make quick` leaves out."""

from __future__ import annotations

#: Folders, files and tests that take long (measured with --durations), or that need more random cases than
#: `make quick` tries to meet what they are about.
SLOW = (
    "agreement/test_one_property.py",
    "agreement/test_path_pieces.py",
    "agreement/test_sdd_agrees.py",
    "bench",
    "cli",
    "cluster",
    "docs/test_docs.py",
    "docs/test_notebooks.py",
    "evidence/test_corruptions.py",
    "evidence/test_tracks.py",
    "execution/test_libraries.py",
    "execution/test_portfolio.py",
    "pdr/test_outside_judge.py",
    "pdr/test_pdr_agreement.py",
    "pool",
    "families",
    "functions/test_conformance.py::test_a_deep_diagram",
    "functions/test_conformance.py::test_a_deep_diagram_is_carried_over",
    "functions/test_conformance.py::test_functions_are_carried_from_space_to_space",
    "functions/test_conformance.py::test_parities_of_disjoint_sets_are_joined_quickly",
    "functions/test_giving_up.py",
    "functions/test_sdd.py",
    "sat/test_sat_agreement.py",
    "sat/test_sat_families.py",
    "sat/test_sat_traps.py",
    "session/test_kernel.py",
    "session/test_public.py::test_a_script_of_a_user_is_typed",
    "session/test_public.py::test_a_wrong_script_is_refused",
    "studio",
    "symbolic/test_closure.py",
    "syntax/test_formatting.py::test_a_megabyte_is_formatted",
    "syntax/test_roundtrip.py::test_a_model_of_five_megabytes",
    "syntax/test_roundtrip.py::test_deep_conditions",
    "syntax/test_roundtrip.py::test_deep_formulas",
    "syntax/test_roundtrip.py::test_very_deep_formulas",
    "system/test_lint.py::test_large_models_are_linted_soon",
)
