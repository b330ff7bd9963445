"""A book store and its customers: contracts that either side may break."""

from __future__ import annotations

from knower.families.family import Family, Model, Number, Question
from knower.families.layout import agent, both, counted, either, listed, section

_STORY = """A supplier sells electronic books to {customers}, with a contract for each. A customer orders a
book; the supplier accepts or refuses the order, and says so. After a refusal the customer may order again. A
customer who has been accepted pays, or breaks the contract. The supplier accepts or refuses the payment, says
so, and makes the book available. The customer downloads it and is content, or sends it back and asks for a
remedy: another copy, a refund, or nothing at all. The supplier breaks the contract by walking away from it
when he has to decide. He serves one customer at a time, and does not rest while there is something to do;
customers take the time they like. Who has broken a contract is in a red state. All customers are alike, so
the questions are about the first."""

#: From where, by which action, to where.
_Moves = tuple[tuple[str, str, str], ...]

#: What the supplier does in a deal.
_SUPPLIES: _Moves = (
    ("ordered", "accept_order", "accepted"),
    ("ordered", "refuse_order", "refused"),
    ("ordered", "walk_away", "broken"),
    ("accepted", "confirm_order", "waiting"),
    ("refused", "deny_order", "idle"),
    ("paid", "accept_payment", "cleared"),
    ("paid", "refuse_payment", "bounced"),
    ("paid", "walk_away", "broken"),
    ("cleared", "confirm_payment", "due"),
    ("bounced", "deny_payment", "idle"),
    ("due", "deliver", "delivered"),
    ("due", "walk_away", "broken"),
    ("complaint", "deliver", "delivered"),
    ("complaint", "refund", "refunded"),
    ("complaint", "reject", "rejected"),
    ("complaint", "walk_away", "broken"),
)
#: How a deal moves by what the customer does.
_SERVED: _Moves = (
    ("idle", "order", "ordered"),
    ("waiting", "pay", "paid"),
    ("delivered", "thank", "content"),
    ("delivered", "complain", "complaint"),
)
_DEAL = (
    "idle", "ordered", "accepted", "refused", "waiting", "paid", "cleared", "bounced", "due",
    "delivered", "content", "complaint", "rejected", "refunded", "broken",
)  # fmt: skip

#: What a customer does.
_BUYS: _Moves = (
    ("idle", "order", "ordered"),
    ("accepted", "pay", "paid"),
    ("accepted", "walk_away", "broken"),
    ("available", "download", "reading"),
    ("reading", "thank", "content"),
    ("reading", "complain", "complaint"),
)
#: How a customer moves by what the supplier does.
_TOLD: _Moves = (
    ("ordered", "deny_order", "idle"),
    ("ordered", "confirm_order", "accepted"),
    ("paid", "deny_payment", "idle"),
    ("paid", "confirm_payment", "cleared"),
    ("cleared", "deliver", "available"),
    ("complaint", "deliver", "available"),
    ("complaint", "refund", "refunded"),
    ("complaint", "reject", "rejected"),
)
_PURCHASE = (
    "idle", "ordered", "accepted", "paid", "cleared", "available", "reading", "content",
    "complaint", "rejected", "refunded", "broken",
)  # fmt: skip

#: How many states a deal and its customer have together. The deal tells where the customer is, except that
#: he may have the book or be reading it when it is delivered, may have walked away when the supplier waits,
#: and is in one of four states when the supplier has walked away.
_TOGETHER = 12 + 2 + 2 + 4


def _book_store(*, n: int) -> Model:
    customers = range(1, n + 1)
    return Model(
        title=f"A book store with {counted(n, 'customer')}.",
        story=_STORY.format(customers=counted(n, "customer")),
        sections=(
            "Semantics = SingleAssignment;",
            _supplier(customers),
            *(_purchaser(i) for i in customers),
            _evaluation(customers),
            section("InitStates", f"{both(_start(customers))};"),
            section("Groups", "partners = {Supplier, Purchaser1};"),
        ),
        questions=_questions(),
        # Each deal can be anywhere, wherever the others are.
        states=_TOGETHER**n,
    )


# -- agents -------------------------------------------------------------------------------------------


def _supplier(customers: range) -> str:
    verbs = dict.fromkeys(action for _, action, _ in _SUPPLIES)
    return agent(
        "Supplier",
        section("Vars:", *(f"deal{i} : {listed(*_DEAL)};" for i in customers)),
        section("RedStates:", f"{either(f'deal{i} = broken' for i in customers)};"),
        f"Actions = {listed('wait', *(f'{verb}{i}' for i in customers for verb in verbs))};",
        section("Protocol:", *(line for i in customers for line in _served(i)), "Other : {wait};"),
        section("Evolution:", *(line for i in customers for line in _deal(i))),
    )


def _chances(moves: _Moves, suffix: str = "") -> dict[str, list[str]]:
    """Where something can be done, and what."""
    chances: dict[str, list[str]] = {}
    for here, action, _ in moves:
        chances.setdefault(here, []).append(f"{action}{suffix}")
    return chances


def _served(i: int) -> list[str]:
    """What the supplier may do about a customer."""
    chances = _chances(_SUPPLIES, str(i)).items()
    return [f"deal{i} = {here} : {listed(*actions)};" for here, actions in chances]


def _deal(i: int) -> list[str]:
    by_customer = [(here, f"Purchaser{i}.Action = {action}", to) for here, action, to in _SERVED]
    by_supplier = [(here, f"Action = {action}{i}", to) for here, action, to in _SUPPLIES]
    return [f"deal{i} = {to} if deal{i} = {here} and {act};" for here, act, to in by_customer + by_supplier]


def _purchaser(i: int) -> str:
    chances = _chances(_BUYS).items()
    told = [(here, f"Supplier.Action = {action}{i}", to) for here, action, to in _TOLD]
    return agent(
        f"Purchaser{i}",
        section("Vars:", f"state : {listed(*_PURCHASE)};"),
        section("RedStates:", "state = broken;"),
        f"Actions = {listed('wait', *(action for _, action, _ in _BUYS))};",
        section(
            "Protocol:",
            *(f"state = {here} : {listed('wait', *actions)};" for here, actions in chances),
            "Other : {wait};",
        ),
        section(
            "Evolution:",
            *(f"state = {to} if Action = {action};" for _, action, to in _BUYS),
            *(f"state = {to} if state = {here} and {act};" for here, act, to in told),
        ),
    )


# -- propositions and formulas ------------------------------------------------------------------------


def _evaluation(customers: range) -> str:
    return section(
        "Evaluation",
        "contract_success if Supplier.deal1 = content;",
        "contract_end if Supplier.deal1 = content or Supplier.deal1 = rejected or Supplier.deal1 = refunded;",
        "purchaser_violation if Purchaser1.state = broken;",
        "supplier_violation if Supplier.deal1 = broken;",
        "purchaser_compliance if Purchaser1.state <> broken;",
        "supplier_compliance if Supplier.deal1 <> broken;",
        "egoods_placed if Supplier.deal1 = delivered;",
        "payment_received if Supplier.deal1 = paid;",
        "paid if Purchaser1.state = paid or Purchaser1.state = cleared;",
        f"all_content if {both(f'Purchaser{i}.state = content' for i in customers)};",
    )


def _start(customers: range) -> list[str]:
    return [f"Supplier.deal{i} = idle" for i in customers] + [f"Purchaser{i}.state = idle" for i in customers]


def _questions() -> tuple[Question, ...]:
    """The four formulas of the source, those that come with the example, and some of other logics."""
    return (*_of_the_source(), *_of_the_example(), *_obligations(), *_strategies())


def _of_the_source() -> tuple[Question, ...]:
    compliance = "supplier_compliance and purchaser_compliance"
    return (
        Question(
            "AF K(Supplier, contract_success)",
            False,
            "1. The supplier will know that the contract has been fulfilled.",
        ),
        Question(
            "AG (payment_received -> AF supplier_compliance)",
            True,
            "2. A supplier who has received the payment will comply with the contract: he does so at once,",
        ),
        Question("AG (payment_received -> AF AX supplier_compliance)", False, "but he need not go on."),
        Question(
            f"AG ({compliance} -> K(Supplier, AF contract_end))",
            False,
            "3. While both comply, the supplier knows that the contract will come to its end, or that it "
            "can: no, as he does not notice when the customer walks away.",
        ),
        Question(f"AG ({compliance} -> K(Supplier, EF contract_end))", False),
        Question("AG (purchaser_violation -> !K(Supplier, purchaser_violation))", True),
    )


def _of_the_example() -> tuple[Question, ...]:
    compliance = "supplier_compliance and purchaser_compliance"
    return (
        Question("EF purchaser_violation", True, "4. Either may break the contract, and the supplier knows."),
        Question("EF supplier_violation", True),
        Question("K(Supplier, EF purchaser_violation)", True),
        Question(
            f"E(({compliance}) U (contract_end and !contract_success))",
            True,
            "5. Both may comply, and yet the customer is not content in the end.",
        ),
        Question(
            "!EF (egoods_placed and EF payment_received)",
            True,
            "6. The book is not delivered before it is paid.",
        ),
    )


def _obligations() -> tuple[Question, ...]:
    return (
        Question(
            "O(Supplier, supplier_compliance)",
            True,
            "7. Who breaks a contract is in a red state; one who does not may meet one who does.",
        ),
        Question("AG (purchaser_violation -> Purchaser1.RedStates)", True),
        Question("EF Supplier.RedStates", True),
        Question("!O(Supplier, !supplier_violation)", False),
        Question("!O(Supplier, !purchaser_violation)", True),
        Question(
            "O(Supplier, paid -> EF contract_end)",
            True,
            "8. While the supplier does what he ought to, a customer who has paid can come to the end. That "
            "is not so when the supplier walks away, and the customer alone cannot help it.",
        ),
        Question("AG (paid -> EF contract_end)", False),
        Question("O(Purchaser1, paid -> EF contract_end)", False),
    )


def _strategies() -> tuple[Question, ...]:
    return (
        Question(
            "<Supplier>G supplier_compliance",
            True,
            "9. The supplier can comply for ever, but cannot make a customer content; together they can.",
        ),
        Question("<Supplier>F contract_success", False),
        Question("<partners>F contract_success", True),
        Question("EF all_content", True, "10. All customers may be content in the end."),
    )


BOOK_STORE = Family(
    name="book-store",
    description="a book store and its customers: contracts, their violation, and obligations",
    source="the book store of Jones's report on bounded model checking, section 3.4, for many customers",
    parameters=(Number("n", "how many customers", 1, 1, 100),),
    build=_book_store,
    examples=("--n 3", "--n 5 --output store.ispl"),
)
