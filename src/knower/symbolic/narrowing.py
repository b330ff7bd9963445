"""Steps as they are from certain states, for who goes backwards.

A set has predecessors among all codes, and most of them are of states nobody reaches: they are what makes the
intermediate results of a pre-image large, and they are thrown away at its end. In a voting protocol of 4e8
states, two pre-images by 19,000 nodes of clusters took 16 s. The clusters joined with the 67,000 nodes of the
reachable states have 412,000 and took 1.2 s to make; the pre-images then took 1.1 s, those of later questions
0.1 s.
"""

from __future__ import annotations

from knower.functions.protocol import F, Space, Variable
from knower.symbolic.partition import PartitionSpec

#: Clusters are joined with the states up to so many nodes for each node of these, but within these bounds.
#: Voting protocols of all sizes ended with 5 to 6.
_TIMES, _LEAST, _MOST = 12, 20_000, 2_000_000


def starting_in(space: Space[F], spec: PartitionSpec[F], states: F) -> PartitionSpec[F]:
    """The steps from these states, in as few clusters as stay small; actions are eliminated where possible.

    If possible the first cluster has the whole set in it, the others what it says of their variables. To look
    which variables large clusters depend on takes longer than to join them: `supports` may have too many.
    """
    limit = min(max(_TIMES * space.size(states), _LEAST), _MOST)
    told, supports = space.support(states), [space.support(cluster) for cluster in spec.clusters]
    joined, used = list[F](), list[frozenset[Variable]]()
    product, known = states, told
    for place, cluster in enumerate(spec.clusters):
        done = spec.actions.difference(*supports[place + 1 :], *used)
        larger = space.and_exists(product, cluster, space.quantified(done))
        if space.size(larger) > limit:
            if place:  # the states alone are no step
                joined.append(product)
                used.append(known)
            done = done.difference(*used)
            about = space.exists(states, space.quantified(told - supports[place]))
            larger, known = space.and_exists(about, cluster, space.quantified(done)), frozenset()
        product, known = larger, (known | supports[place]) - done
    return PartitionSpec((*joined, product), spec.moved, spec.actions, (*used, known))
