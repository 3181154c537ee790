"""Types of options and answers. Written by `tools/generate_types.py` from `docs/schema`; do not edit."""

from __future__ import annotations

from typing import Any, Literal, Optional, TypedDict, Union

from ._answers import Answer, Record
from ._options import CallOptions


class ActOptions(CallOptions, total=False):
    """How to act, and who picks the outcomes."""

    agent: Literal['policy', 'replan', 'rta']
    """How to decide what to do."""

    nature: Literal['random', 'adversary']
    """Who picks the outcomes."""

    script: list[int]
    """The outcomes by number from 0, one for each step; instead of `nature` if there are any."""

    most_steps: int
    """Steps after which the run ends."""

    seed: int
    """The seed of everything that is left to chance."""


class ActAnswer(Answer):
    """A run in a simulated world. Its JSON form is what `counterplay act --json` prints."""

    reached: bool
    """Whether the goal was reached."""

    end: Literal['reached', 'stuck', 'out-of-steps']

    steps: int

    replans: int
    """How often a plan was made after the first."""

    actions: list[list[Any]]
    """The actions, each with the number of its outcome."""

    state: list[str]
    """The atoms that hold at the end."""

    seconds: float
    """Seconds of wall time."""


class BridgeBoardsOptions(CallOptions, total=False):
    """Which boards to take, and what is added to what they tell."""

    boards: Optional[str]
    """Only these boards of the file: `7`, `1-100` or `1-20,33`"""

    deals: Optional[int]
    """Draw so many boards at random instead of reading a file"""

    kind: Literal['notrump', 'hearts', 'spades']
    """The kind of random deal"""

    contract: Optional[str]
    """The contract, for boards that do not tell one: `3NT`, `4SX`"""

    by: str
    """Who declares it: N, E, S or W"""

    lead: Optional[str]
    """The opening lead, for boards that do not tell one: `HQ`"""

    told: list[str]
    """What is known of a hidden hand: `W:points=6-10,spades=5-7,clubs=0-3`; may be given for several hands"""

    bidding: bool
    """Draw conclusions from the auction of the file, as from natural bidding with five-card majors"""

    seed: int
    """The seed of random deals."""


class PerDefence(Record):
    """One figure for each defence."""

    rules: Optional[float]
    """Against the defence by rule."""

    double_dummy: Optional[float]
    """Against a defence that sees all cards."""


class PerDefence2(Record):
    """One figure for each defence."""

    rules: bool
    """Against the defence by rule."""

    double_dummy: bool
    """Against a defence that sees all cards."""


class BridgeCalibrateDealAnswer(Answer):
    """One deal: what was predicted and what happened. Its JSON form is a line of `counterplay bridge calibrate --json`."""

    deal: int
    """The number of the deal, from 1."""

    valuation: float
    """The planner's own valuation of making the contract, from 0 to 1."""

    predicted: PerDefence
    """The predicted chance, from 0 to 1."""

    made: PerDefence2
    """Whether the contract was made."""


class BridgeCalibrateOptions(CallOptions, total=False):
    """Which deals are tried, and how."""

    deals: int
    """How many deals"""

    kind: Literal['notrump', 'hearts', 'spades']
    """The kind of deal"""

    samples: int
    """Layouts played out for each deal and defence"""

    layouts: int
    """Layouts that a plan considers"""

    seed: int
    """The seed of everything that is left to chance."""


class AgreementAnswer(Record):
    """Predicted and made on average."""

    predicted: float
    """The mean prediction, from 0 to 1."""

    made: float
    """The share of contracts made."""

    error: float
    """The standard error of the difference."""


class CalibrationRow(Record):
    """The deals that the planner values alike."""

    valuation: list[float]
    """The range of the planner's valuation, the upper end excluded except for 1."""

    deals: int
    """How many deals fall into it."""

    mean_valuation: float
    """The mean valuation of these deals."""

    rules: AgreementAnswer
    """Against the defence by rule."""

    double_dummy: AgreementAnswer
    """Against a defence that sees all cards."""


class BridgeCalibrateAnswer(Answer):
    """Predictions and results by class. Its JSON form is the last line of `counterplay bridge calibrate --json`."""

    deals: int
    """Deals that were tried."""

    samples: int
    """Layouts played out for each deal and defence."""

    table: list[CalibrationRow]
    """A row for each class that has deals, and one for all deals."""


class BridgeDealOptions(CallOptions, total=False):
    """Which deals are wanted."""

    count: int
    """How many"""

    kind: Literal['notrump', 'hearts', 'spades']
    """The kind of deal"""

    points: Optional[list[Any]]
    """High-card points of north and south together, such as `24-27`"""

    longest: Optional[int]
    """The longest suit allowed in north's and south's hands"""

    shortest: Optional[int]
    """The shortest suit allowed in north's and south's hands"""

    seed: int
    """The seed of the deals."""


class BridgeMatchOptions(CallOptions, total=False):
    """Who plays, and how hard the players think."""

    declarers: list[Literal['planner', 'network', 'rules', 'pimc', 'hybrid', 'double-dummy', 'you']]
    """The two declarers"""

    defence: Literal['rules', 'good', 'double-dummy', 'pimc', 'you']
    """Who defends"""

    layouts: int
    """Layouts that the planner considers"""

    samples: int
    """Layouts that pimc, hybrid and planner solve for each card (hybrid: in the first tricks; later more; planner: two fifths)"""

    seed: int
    """The seed of everything that is left to chance."""


class DeclarerResult(Record):
    """What one declarer did."""

    declarer: Literal['planner', 'network', 'rules', 'pimc', 'hybrid', 'double-dummy', 'you']
    """The name of the declarer, as a request writes it."""

    tricks: float
    """Mean number of tricks a board."""

    tricks_interval: float
    """Half the width of the 95 % confidence interval of that mean."""

    made_percent: float
    """Contracts made, in percent."""

    seconds_per_board: float
    """Mean seconds a board: wall time, or those of the caller's clock."""

    moves_searched: float
    """Moves searched a board."""


class BoardPair(Record):
    """Both results of one board, the first declarer's first."""

    board: str
    """The name of the board."""

    tricks: list[int]
    """Tricks of each declarer."""

    scores: list[int]
    """Scores of each declarer."""


class BridgeMatchAnswer(Answer):
    """The result of a duplicate match, from the first declarer's side. Its JSON form is what `counterplay bridge match --json` prints."""

    boards: int
    """Boards that both declarers have played."""

    wins: int
    """Boards with the better score."""

    losses: int
    """Boards with the worse score."""

    ties: int
    """Boards with the same score."""

    share: float
    """The share of decided boards that were won."""

    p_value: float
    """The chance of so many wins or more among the decided boards if both were equal (sign test, one-sided)."""

    imps: float
    """Mean international match points a board."""

    imps_interval: float
    """Half the width of the 95 % confidence interval of that mean."""

    tricks_difference: float
    """Mean difference in tricks a board."""

    tricks_difference_interval: float
    """Half the width of the 95 % confidence interval of that mean."""

    declarers: list[DeclarerResult]
    """Each declarer by itself."""

    results: list[BoardPair]
    """Both results of each board, in the order of play."""

    verdict: Optional[str]
    """`stopped` if a limit ended the match; left out otherwise."""

    limit: Optional[str]
    """The name of the limit."""


class BridgePlanOptions(CallOptions, total=False):
    """How a plan is made and valued."""

    layouts: int
    """How many layouts of the unseen cards are considered"""

    samples: int
    """How many layouts are played out against each defence to estimate the chance; 0 for none"""

    tricks: int
    """How many tricks the plan covers before it is valued"""

    criterion: Literal['average', 'maximin', 'hurwicz', 'regret']
    """How the defenders' possible plays are valued together"""

    optimism: float
    """Optimism of the Hurwicz criterion, from 0 to 1"""

    inference: bool
    """Draw no conclusions from the opening lead"""

    seed: int
    """The seed of everything that is left to chance."""

    threads: Optional[int]
    """How many threads play layouts out; as many as there are cores if it is left open. The answer does not depend on it."""


class Evidence(Record):
    """What an answer rests on. Its JSON form is the field `evidence` of every answer: the variant is `kind`."""

    kind: Optional[Literal['proved', 'planned', 'sampled', 'bounded']]

    engine: Optional[str]
    """The search that found them."""

    checked_by: Optional[str]
    """The independent code that confirmed it; `None` if the check was switched off or met a limit."""

    within: Optional[str]
    """The region or the assumption within which the proof holds; `None` if it holds without any."""

    assumes: Optional[str]
    """What was not looked at."""

    samples: Optional[int]
    """The number of samples."""

    error: Optional[float]
    """Half the width of the 95 % confidence interval, in the units of the answer; `None` if the answer is not a number."""

    about: Optional[str]
    """What was sampled, such as the opponent's play that the estimate holds against."""

    lower: Optional[float]
    """No answer is better than this."""

    upper: Optional[float]
    """An answer this good is known."""


class ChanceAnswer(Record):
    """The chance of making the contract against one defence, in percent. All is null without playouts."""

    percent: Optional[float]
    """Contracts made, in percent."""

    error: Optional[float]
    """The distance to the farther end of the interval."""

    low: Optional[float]
    """The lower end of the 95 % confidence interval."""

    high: Optional[float]
    """The upper end of that interval."""

    samples: int
    """How many layouts were played out."""

    tricks: Optional[float]
    """Mean number of tricks over these layouts."""

    evidence: Evidence
    """What it rests on."""


class BridgePlanPerDefence(Record):
    """One figure for each defence."""

    rules: ChanceAnswer
    """Against the defence by rule."""

    double_dummy: ChanceAnswer
    """Against a defence that sees all cards."""


class Considered(Record):
    """A card that was considered."""

    card: str
    """Suit and rank, such as `HQ`."""

    explanation: str
    """What it is for."""

    score: float
    """The mean duplicate score that its best line expects."""

    valuation: float
    """The planner's valuation of making the contract with it, from 0 to 1."""

    searched: Optional[float]
    """The mean score by search over layouts against best defence; left out where nothing was searched."""


class BridgePlanAnswer(Answer):
    """Declarer's plan for a board. Its JSON form is a line of `counterplay bridge plan --json`."""

    board: str
    """The name of the board."""

    contract: str
    """Level, strain and doubles, such as `3NT`."""

    declarer: str
    """The letter of the declarer's seat."""

    lead: str
    """The opening lead: suit and rank, such as `HQ`."""

    card: str
    """The card to play now."""

    tricks: Optional[float]
    """Tricks on average against the defence by rule; null without playouts."""

    chance: Optional[float]
    """The chance of making against the defence by rule, from 0 to 1; null without playouts."""

    chances: BridgePlanPerDefence
    """The chance against each defence."""

    valuation: float
    """The planner's own valuation of making the contract, from 0 to 1. It is too high as a rule."""

    score: float
    """The mean score that the plan expects."""

    line: list[str]
    """The line of play, as long as the defenders do what is most likely."""

    explanation: str
    """Why this card is played."""

    considered: list[Considered]
    """All cards that were considered, best score first."""

    layouts: int
    """How many layouts of the unseen cards were considered."""

    moves_searched: int
    """Operations in the decision tree."""

    evidence: Evidence
    """What the chance against the defence by rule rests on."""

    verdict: Optional[str]
    """`stopped` if a limit ended the playouts; left out otherwise."""

    limit: Optional[str]
    """The name of the limit."""


class CardPlayed(Record):
    """A card that was played. Part of the lines of `counterplay bridge play --lines`."""

    seat: str
    """The name of the seat that it was played from."""

    card: str
    """Suit and rank, such as `HQ`."""

    why: str
    """The reason; it tells of the hand, so a page shows it only on request."""


class BridgePlayEndAnswer(Answer):
    """The end of a board. Its JSON form is the last line of `counterplay bridge play --lines`."""

    end: str
    """The result in words."""

    table: str
    """All four hands, as a diagram."""

    news: list[CardPlayed]
    """The cards since the last prompt."""


class BridgePlayPromptAnswer(Answer):
    """A card is wanted. Its JSON form is a line of `counterplay bridge play --lines`."""

    waiting: bool
    """Always true: it tells this line from the last one."""

    seat: str
    """The name of the seat whose card is wanted."""

    legal: list[str]
    """The cards that may be played, highest first."""

    trick: list[str]
    """The cards of the present trick."""

    table: str
    """The hands that the player sees, as a diagram."""

    tricks: list[int]
    """Tricks of declarer and of the defence."""

    news: list[CardPlayed]
    """The cards since the last prompt."""


class BridgePlayOptions(CallOptions, total=False):
    """Who plays, and how hard the players think."""

    declarer: Literal['planner', 'network', 'rules', 'pimc', 'hybrid', 'double-dummy', 'you']
    """Who declares"""

    defence: Literal['rules', 'good', 'double-dummy', 'pimc', 'you']
    """Who defends"""

    layouts: int
    """Layouts that the planner considers"""

    samples: int
    """Layouts that pimc, hybrid and planner solve for each card (hybrid: in the first tricks; later more; planner: two fifths)"""

    seed: int
    """The seed of everything that is left to chance."""


class BridgePlayAnswer(Answer):
    """A board that was played. Its JSON form is a line of `counterplay bridge play --json`."""

    board: Union[int, str]
    """The name of the board: a number if it is one."""

    contract: str
    """Level, strain and doubles, such as `3NT`."""

    tricks: int
    """Tricks of declarer's side, from 0 to 13."""

    made: bool
    """Whether the contract was made."""

    score: int
    """Declarer's duplicate score."""

    moves_searched: int
    """Moves that declarer searched."""

    replans: int
    """How often declarer made a new plan."""

    seconds: float
    """Seconds that the board took: wall time, unless the caller puts CPU time here."""

    play: list[str]
    """All 52 cards in playing order."""


class BridgeShowAnswer(Answer):
    """A board as it is shown. Its JSON form is a line of `counterplay bridge show --json`."""

    board: str
    """The name of the board."""

    hands: list[Optional[str]]
    """The hands of north, east, south and west as PBN writes them; null for a hand that is not known."""

    contract: Optional[str]
    """The contract with its declarer; null if the board does not tell one."""

    double_dummy: Optional[list[list[int]]]
    """The tricks that north, east, south and west take as declarer in clubs, diamonds, hearts, spades and notrump with all hands open; null if that was not asked for or a hand is not known."""


class BridgeSuitOptions(CallOptions, total=False):
    """The cards of a suit, and how many tricks are wanted."""

    north: str
    """North's cards of the suit from the top, `-` for none"""

    south: str
    """South's cards of the suit"""

    tricks: Optional[int]
    """How many tricks are wanted; all numbers that are neither certain nor impossible if left out"""


class SuitLine(Record):
    """The best play for a number of tricks."""

    tricks: int
    """At least so many tricks."""

    percent: float
    """The chance against best defence, in percent with the four decimals of published tables."""

    line: str
    """How to play while the defenders follow with their lowest cards."""


class BridgeSuitAnswer(Answer):
    """The best play of a suit. Its JSON form is what `counterplay bridge suit --json` prints."""

    evidence: Evidence
    """What the odds rest on."""

    tricks: Optional[int]
    """At least so many tricks."""

    percent: Optional[float]
    """The chance against best defence, in percent with the four decimals of published tables."""

    line: Optional[str]
    """How to play while the defenders follow with their lowest cards."""

    answers: Optional[list[SuitLine]]
    """One for each number of tricks."""


class CheckArchiveAnswer(Answer):
    """Whether an archive holds in all its positions. Its JSON form is what `counterplay check GAME FOLDER --json` prints."""

    valid: Optional[bool]
    """Whether every position has the value that the rules and the positions one move later make of it; `None` if a limit came first."""

    why: Optional[str]
    """If it does not: the first thing that is wrong, with layer and entry."""

    roles: list[str]
    """The names of the roles."""

    value: Optional[list[int]]
    """What each role gets from the beginning on, if all positions hold."""

    layers: int
    """Number of layers."""

    positions: int
    """Positions that were looked at, those of earlier runs included."""

    resumed: Optional[int]
    """Positions of earlier runs, if this one went on from a file of progress."""

    limit: Optional[str]
    """The limit that was reached."""

    seconds: float
    """Seconds of wall time."""


class CheckCertificateAnswer(Answer):
    """Whether a certificate is valid. Its JSON form is what `counterplay check --certificate DIR --json` prints."""

    valid: bool
    """Whether it is valid."""

    why: Optional[str]
    """If it is not: the first thing that is wrong, with file and line."""

    claim: Optional[str]
    """`unsolvable`, `at-least`, or `optimal` if a plan has just the cost that every plan has at least; what a policy guarantees, or `no-weak`, `no-strong`, `no-strong-cyclic` where there is none."""

    excluded: Optional[str]
    """Beside a policy: what is proved not to exist."""

    bound: Optional[int]
    """What every plan costs at least, in units of the finite task."""

    cost: Optional[int]
    """What the plan costs, in the same units."""

    states: Optional[int]
    """Closed states, or nodes that are listed."""

    estimates: Optional[int]
    """Estimates, each for many states."""

    layers: Optional[int]
    """Layers, each a set of states given by a decision diagram."""

    nodes: Optional[int]
    """Nodes of these diagrams."""

    steps: Optional[int]
    """Steps, or pairs of nodes, that were looked at."""

    grounding: Optional[str]
    """Whether the finite task stands for the problem, if that was given: `confirmed`, or what was not compared."""

    problem_cost: Optional[float]
    """What the plan costs in the problem's own units, if that was given."""

    seconds: float
    """Seconds of wall time."""


class CheckGoAnswer(Answer):
    """Whether a proof holds. Its JSON form is what `counterplay check FILE.sgf --json` prints."""

    valid: bool

    why: Optional[str]
    """If it does not: the first thing that is wrong."""

    result: Optional[Literal['clean', 'ko', 'seki', 'none']]
    """What is proved: what the player to move achieves."""

    goal: Optional[str]
    """`kill` or `save`."""

    target: Optional[str]
    """A stone of the target."""

    move: Optional[str]
    """The move that achieves it."""

    moves: int
    """Moves in the trees."""

    region: int
    """Points of the region."""

    seconds: float
    """Seconds of wall time."""


class CheckKriegspielAnswer(Answer):
    """Whether a proof holds. Its JSON form is what `counterplay check FILE --json` prints for a proof of Kriegspiel."""

    valid: bool

    why: Optional[str]
    """If it does not: the first thing that is wrong, with its line."""

    claim: Optional[str]
    """`mate` or `no-mate`."""

    plies: Optional[int]
    """Within so many moves of both sides."""

    material_wins: Optional[bool]
    """Whether known material wins count as wins."""

    positions: list[str]
    """The positions that it is about, as FEN."""

    nodes: Optional[int]
    """Nodes of the tree, or of the refutation."""

    seconds: float
    """Seconds of wall time."""


class CheckOptions(CallOptions, total=False):
    """What a plan or policy is checked for."""

    class_: Optional[Literal['strong', 'strong-cyclic', 'weak']]
    """What a policy has to guarantee; what it claims, or strong-cyclic, if it is left open."""

    most_states: int
    """So many states of a policy are checked one by one; beyond, sets of states, and random runs if all else fails."""

    hidden: bool
    """Whether the state is hidden although nothing in the files says so."""

    runs: Optional[int]
    """Only so many random runs of a policy are checked."""

    uniform: bool
    """Whether the outcomes of `oneof` are equally likely: then every policy has a probability of reaching the goal."""

    seed: int
    """The seed of random runs."""


class SureReward(Record):
    """What a part of a strategy proves."""

    role: str

    at_least: Optional[int]
    """What the role can make sure of."""

    at_most: Optional[int]
    """What the others can hold it to."""


class CheckStrategyAnswer(Answer):
    """Whether a strategy does what it says. Its JSON form is what `counterplay check GAME STRATEGY --json` prints."""

    valid: bool

    why: Optional[str]
    """If it does not: the first thing that is wrong, with its line."""

    after: Optional[int]
    """Joint moves before the position that it is about."""

    rewards: list[SureReward]
    """What is proved about each role."""

    positions: int
    """Positions that were looked at."""

    seconds: float
    """Seconds of wall time."""


class SuitClaim(Record):
    """What a strategy makes sure of."""

    tricks: int
    """At least so many tricks."""

    chance: str
    """With at least this chance, as a fraction."""

    percent: float
    """The same in percent, with the four decimals of published tables."""

    situations: int
    """Situations for which the file has a card."""

    layouts: int
    """Ways of the missing cards to lie in which the strategy was followed, card by card."""


class CheckSuitAnswer(Answer):
    """Whether the strategies of a file do what they say. Its JSON form is what `counterplay check FILE --json` prints for a suit at bridge."""

    valid: bool

    why: Optional[str]
    """If it does not hold: the first thing that is wrong, with its line."""

    north: Optional[str]
    """North's cards of the suit."""

    south: Optional[str]
    """South's cards of the suit."""

    claims: list[SuitClaim]
    """What is proved, the highest number of tricks first: lower bounds that hold against every defence. That no play does better is not proved."""

    seconds: float
    """Seconds of wall time."""


class CheckAnswer(Answer):
    """Whether a plan or policy is valid. Its JSON form is what `counterplay check --json` prints."""

    valid: bool
    """Whether it is valid."""

    why: Optional[str]
    """If it is not: the first thing that is wrong, or all unknown names."""

    cost: Optional[float]
    """What the plan costs, in the problem's own units."""

    metric: Optional[float]
    """The value of the problem's `:metric`."""

    length: Optional[int]
    """The number of steps."""

    class_: Optional[Literal['strong', 'strong-cyclic', 'weak']]
    """What the policy guarantees."""

    claim: Optional[str]
    """What a certificate proves: a class, or `no-weak`, `no-strong`, `no-strong-cyclic`."""

    states: Optional[int]
    """How many states the policy can reach, if all of them were checked one by one."""

    complete: Optional[bool]
    """Whether the class is certain; it is not after random runs."""

    probability: Optional[float]
    """The probability with which the policy reaches the goal, where outcomes have probabilities and all its states were looked at."""

    expected_cost: Optional[float]
    """What the policy costs on average until then; left out unless it reaches the goal for sure."""

    seconds: float
    """Seconds of wall time."""


class DilemmaMatchOptions(CallOptions, total=False):
    """Who plays, and how."""

    first: str
    """The first player"""

    second: str
    """The second player"""

    beliefs: bool
    """With --json: what each player believed about the other before each turn"""

    turns: int
    """Turns of a match"""

    known_length: bool
    """Tell the players how many turns there will be"""

    going_on: Optional[float]
    """Go on after each turn with this probability, instead of a fixed number of turns"""

    noise: float
    """How likely each move is to come out as its opposite"""

    payoffs: list[float]
    """What CC, CD, DC and DD are worth to the one who moves first in that pair (R,S,T,P); eight numbers if the players differ"""

    seed: int
    """The seed of everything that is left to chance."""


class MatchFault(Record):
    """What a player did wrong."""

    strategy: str
    """The name of the player."""

    turn: int
    """The turn in which it failed, counted from 1."""

    why: str
    """What it did wrong, in a sentence."""


class Belief(Record):
    """What is believed under one condition."""

    condition: str
    """The condition, such as `CD`: we cooperated and the other defected."""

    cooperates: float
    """How likely the other is to cooperate then."""

    because: str
    """On what the belief rests."""

    holds: bool
    """Whether the condition holds now."""


class DilemmaMatchAnswer(Answer):
    """A match that was played. Its JSON form is what `counterplay dilemma match --json` prints."""

    strategies: list[str]
    """The names of both players."""

    turns: int
    """How many turns were played, up to the first fault."""

    noise: float
    """How likely each move was to come out as its opposite."""

    moves: list[str]
    """Executed moves as `CCD…`; those before the fault if a player failed."""

    scores: Optional[list[float]]
    """Total points; null if a player failed, since half a match has no score."""

    cooperation: Optional[list[float]]
    """Shares of turns in which each cooperated; null if a player failed."""

    faults: list[MatchFault]
    """Players that failed. Only programs do."""

    beliefs: Optional[list[list[list[Belief]]]]
    """For each player, what it believed before each turn; left out if it was not asked for."""

    seconds: float
    """Seconds of wall time."""


class DilemmaPlayAnswer(Answer):
    """A match against a person, as far as it was played. Its JSON form is what `counterplay dilemma play --json` prints at the end."""

    strategies: list[str]
    """`you`, and the name of the strategy."""

    moves: list[str]
    """Executed moves as `CCD…`."""

    scores: list[float]
    """Points of all turns together."""


class DilemmaRoshamboOptions(CallOptions, total=False):
    """Who plays, and for how long."""

    first: Literal['predictive', 'equilibrium', 'biased', 'cycler', 'beats-last', 'win-stay']
    """The player whose score is told."""

    second: Optional[Literal['predictive', 'equilibrium', 'biased', 'cycler', 'beats-last', 'win-stay']]
    """The second player; all others in turn if it is left open."""

    turns: int
    """Turns of a match."""

    seed: int
    """The seed of everything that is left to chance."""


class RoshamboResult(Record):
    """The result of one match."""

    first: Literal['predictive', 'equilibrium', 'biased', 'cycler', 'beats-last', 'win-stay']

    second: Literal['predictive', 'equilibrium', 'biased', 'cycler', 'beats-last', 'win-stay']

    score: int
    """Turns that the first player won less turns that it lost."""

    per_turn: float
    """The score divided by the turns."""


class DilemmaRoshamboAnswer(Answer):
    """The matches that were played. Its JSON form is what `counterplay dilemma roshambo --json` prints."""

    turns: int
    """Turns of each match."""

    results: list[RoshamboResult]
    """One for each second player."""


class StrategyInfo(Record):
    """A strategy of the library."""

    name: str
    """The name that requests use; case does not matter there."""

    about: str
    """What it does, in a sentence."""

    source: str
    """The publication or program that it comes from."""

    memory: Optional[int]
    """How many of the last turns it depends on; null if it may depend on all of them."""

    stochastic: bool
    """Whether it takes chances."""

    in_field: bool
    """Whether it plays in a tournament without named players."""


class DilemmaStrategiesAnswer(Answer):
    """The strategies of the library. Its JSON form is what `counterplay dilemma strategies --json` prints."""

    strategies: list[StrategyInfo]
    """Those of the usual field, family by family, and then those that are known by name only."""


class DilemmaTournamentOptions(CallOptions, total=False):
    """Who takes part, and how."""

    players: list[str]
    """Who takes part, separated by commas [default: all strategies]"""

    teams: list[int]
    """Add teams of a master and its slaves, of these sizes"""

    repetitions: int
    """How often each pair meets"""

    self_play: bool
    """No player meets itself"""

    ecology: Optional[int]
    """Then let the players multiply by what they earn, for so many generations"""

    turns: int
    """Turns of a match"""

    known_length: bool
    """Tell the players how many turns there will be"""

    going_on: Optional[float]
    """Go on after each turn with this probability, instead of a fixed number of turns"""

    noise: float
    """How likely each move is to come out as its opposite"""

    payoffs: list[float]
    """What CC, CD, DC and DD are worth to the one who moves first in that pair (R,S,T,P); eight numbers if the players differ"""

    matrices: bool
    """With --json: add the matrices of scores and cooperation"""

    seed: int
    """The seed of everything that is left to chance."""

    threads: Optional[int]
    """How many threads play; as many as there are cores if it is left open. The answer does not depend on it."""


class Rank(Record):
    """A place in the ranking."""

    strategy: str
    """The name of the player."""

    mean: float
    """The mean score of a match."""

    low: Optional[float]
    """The lower end of the 95 % confidence interval over the repetitions; null with one repetition."""

    high: Optional[float]
    """The upper end of that interval."""

    cooperation: float
    """The share of turns in which it cooperated."""


class TournamentFault(Record):
    """The first match in which a player failed."""

    strategy: str
    """The player that failed."""

    against: str
    """The other player of that match."""

    repetition: int
    """The repetition, counted from 1."""

    turn: int
    """The turn, counted from 1."""

    why: str
    """What it did wrong, in a sentence."""


class Share(Record):
    """What a strategy makes up of a population."""

    strategy: str
    """The name of the player."""

    share: float
    """From 0 to 1."""


class DilemmaTournamentAnswer(Answer):
    """A tournament that was played. Its JSON form is what `counterplay dilemma tournament --json` prints."""

    verdict: Optional[str]
    """`stopped` if a limit ended it: the ranking is then that of the pairings finished by then. Left out otherwise."""

    limit: Optional[str]
    """The name of the limit that was reached."""

    turns: int
    """Turns of all matches together."""

    matches: int
    """How many matches were played."""

    ranking: list[Rank]
    """The players, best mean first."""

    faults: list[TournamentFault]
    """Players that failed. None of their matches counts."""

    evidence: Optional[Evidence]
    """What the means rest on; null if there are none."""

    ecology: Optional[list[Share]]
    """The shares after the last generation, largest first, if generations were asked for."""

    strategies: Optional[list[str]]
    """The names that rows and columns of the matrices stand for, if these were asked for."""

    scores: Optional[list[list[Optional[float]]]]
    """The mean score of the row in a match against the column; null if they did not meet."""

    cooperation: Optional[list[list[Optional[float]]]]
    """The share of turns in which the row cooperated with the column; null if they did not meet."""

    runs: Optional[list[list[float]]]
    """For each repetition, the mean score of each player in a match, in the order of `strategies`, if the matrices were asked for."""

    shares: Optional[list[list[float]]]
    """The shares of all generations, in the order of `strategies`, if matrices and generations were asked for."""

    seconds: float
    """Seconds of wall time."""


class Phases(Record):
    """Seconds of wall time of the phases that ended, by a limit or not; `None` for phases that were not begun."""

    parse: Optional[float]
    """Reading and resolving the texts."""

    ground: Optional[float]
    """Grounding."""

    search: Optional[float]
    """Search."""

    check: Optional[float]
    """The check of the answer."""


class GameGroundAnswer(Answer):
    """The size of the ground rules of a game, and what is proved of them. Its JSON form is what `counterplay game ground --json` prints."""

    roles: list[str]
    """Names of the roles."""

    fluents: int
    """Fluents that may hold."""

    moves: int
    """Moves of all roles together."""

    derived: int
    """Atoms that are neither fluents nor moves."""

    rules: int
    """Ground rules."""

    literals: int
    """Literals in their bodies."""

    recursive: int
    """Rules that depend on their own heads."""

    goals: int
    """Rules for rewards."""

    groups: int
    """Groups of fluents of which at most one holds: all are proved."""

    grouped_fluents: int
    """Fluents that are in a group."""

    takes_turns: bool
    """Whether it is proved that the players take turns; `false` says that there is no proof."""

    noops: list[list[str]]
    """For each role the moves that, whenever legal, are its only one: proved."""

    constant_sum: Optional[int]
    """The sum of the rewards of two players at every end, if it is proved to be the same."""

    clock: Optional[int]
    """The number of fluents that are proved to hold one after the other, if there are such."""

    seconds: float
    """Seconds of wall time."""

    phases: Phases
    """Seconds of each phase; the proofs are the phase `check`."""

    peak_memory: Optional[int]
    """The most bytes that the process held, if the caller knows."""


class GameMatchOptions(CallOptions, total=False):
    """How a match is played."""

    start_clock: float
    """Seconds to prepare."""

    play_clock: float
    """Seconds for a move."""

    threads: int
    """Threads of each player of the library."""

    most_moves: int
    """A match ends after so many joint moves whatever the rules say."""

    seed: int
    """The seed of everything that is left to chance."""


class GameMatchAnswer(Answer):
    """A match that was played."""

    roles: list[str]
    """The names of the roles."""

    players: list[str]
    """Who played each role."""

    moves: list[list[str]]
    """Joint moves, a move for each role."""

    errors: list[list[str]]
    """For each joint move and role, what went wrong: `IL` and the text for a move that is not legal, `TO` for one that came too late; empty if nothing did. Another legal move was made then."""

    fluents: list[str]
    """The fluents that hold at the end."""

    rewards: list[int]
    """For each role."""

    completed: bool
    """Whether the game was played to its end."""

    seconds: float
    """Seconds of wall time."""


class GameSimulateOptions(CallOptions, total=False):
    """How a game is to be played at random."""

    seconds: float
    """Seconds of CPU time."""

    interpreter: bool
    """Whether it is also played by the plain reading of the rules, without grounding, for as long."""

    seed: int
    """The seed of the moves."""


class RulesPace(Record):
    """What random play by the plain reading of the rules comes to."""

    playouts: int
    """Games that ended."""

    states: int
    """Positions that were looked at."""

    playouts_per_second: float
    """Games for each second of CPU time."""

    states_per_second: float
    """Positions for each second of CPU time."""


class GameSimulateAnswer(Answer):
    """What random play comes to. Its JSON form is what `counterplay game simulate --json` prints."""

    playouts: int
    """Games that ended."""

    playouts_per_second: float
    """The same for each second of CPU time."""

    states_per_second: float
    """Positions that were left by a joint move, for each second of CPU time."""

    states: int
    """Positions that were left by a joint move."""

    stuck: int
    """Games in which a role had no legal move before the end."""

    mean_rewards: list[float]
    """The mean reward of each role."""

    cpu_seconds: float
    """CPU time of the playouts."""

    interpreter: Optional[RulesPace]
    """The same by the plain reading of the rules, if that was asked for."""

    seconds: float
    """Seconds of wall time."""


class GameSolveOptions(CallOptions, total=False):
    """How a game is to be solved."""

    order: Literal['own', 'difference']
    """What players want."""

    solution: Literal['value', 'maximin', 'nash']
    """What is meant by the value."""

    engine: Literal['auto', 'explicit', 'layered', 'symbolic', 'plan', 'proof']
    """How the game is solved."""

    explicit_states: int
    """States up to which `auto` solves a game state by state."""

    layered_states: int
    """States up to which `auto` solves a game with a clock in layers."""

    from_: Optional[str]
    """Moves such as `(drop 1) (drop 2)`: the value and the best moves of the position after them are wanted too."""

    playbook: bool
    """Whether strategies are wanted that prove the value of the position after `from`, or of the first one."""

    bounds: bool
    """Whether bounds are wanted if roles choose at once or play can go on for ever."""

    check: bool
    """Whether values are compared with the plain reading of the rules."""

    check_positions: Optional[int]
    """How many positions are compared; all of them if it is null."""

    seed: int
    """The seed of everything that is left to chance."""


class RoleBound(Record):
    """What a role can be sure of, and what it can be held to."""

    role: str

    lower: float
    """The reward that it can force."""

    upper: float
    """The reward to which the others can hold it."""


class SecurityLevel(Record):
    """What a role can make sure of by lots, whatever the others do."""

    role: str

    level: float
    """The nearest number."""

    exact: str
    """The fraction."""


class OutcomeCount(Record):
    """How many states are worth the same."""

    rewards: list[float]
    """For each role."""

    states: int


class DiskFigures(Record):
    """What a solution on disk took."""

    workers: int
    """Threads of each process."""

    processes: int

    parts: int
    """Parts of each layer."""

    bytes: int
    """Bytes of the files in the folder of this process."""

    spilled_bytes: int
    """Bytes of sorted runs that memory had no room for, of all processes."""

    exchanged_bytes: int
    """Bytes that went from worker to worker, of all processes, without framing."""


class HiddenFigures(Record):
    """What is special about a game with hidden moves."""

    histories: int
    """Histories that differ in the state or in what some role knows."""

    infosets: list[int]
    """Information sets at which a role has a choice, for each role but chance."""

    method: str
    """How it was solved: `sequence form`, `regret matching` or `best response to chance`."""

    exploitability: Optional[float]
    """What the two roles could gain on average by best responses to the strategies found; 0 for exact solutions, null for one role."""

    exploitability_exact: Optional[str]
    """The same as a fraction."""


class KnownRound(Record):
    """A round as a role knows it."""

    move: str

    sees: list[str]


class Lot(Record):
    """A move and how often it is made."""

    move: str

    probability: float

    exact: str


class InformationSet(Record):
    """What a role does where it cannot tell some histories apart."""

    role: str

    knows: list[KnownRound]
    """What it did and what it perceived of it, round by round."""

    mixture: list[Lot]


class Choice(Record):
    """A move of a role that has several."""

    role: str

    move: str

    value: Optional[list[float]]
    """The value of the position after it; the expectation if other roles draw lots at the same moment."""

    optimal: bool
    """Whether no other move is worth more to the role."""

    probability: Optional[float]
    """How often the role makes it, where lots or chance take part."""

    probability_exact: Optional[str]
    """The same as a fraction."""


class Position(Record):
    """A position that was asked for."""

    moves: list[list[str]]
    """The joint moves that lead there."""

    over: bool
    """Whether the game is over there."""

    value: Optional[list[float]]
    """The value for each role; `None` if play can go on for ever."""

    value_exact: Optional[list[str]]
    """The value as fractions, where lots or chance take part."""

    choices: list[Choice]
    """What the roles with a choice can do."""


class Line(Record):
    """Moves from a position to an end."""

    moves: list[str]

    shortest: bool
    """Whether it is proved that no play with the same reward has fewer moves."""


class ProofFigures(Record):
    """What a proof took."""

    positions: int
    """Positions that were met; symmetric ones are one."""

    expanded: int
    """Positions whose moves were looked at."""


class GameSolveAnswer(Answer):
    """The solution of a game. Its JSON form is what `counterplay game solve --json` prints; what does not apply is null or left out."""

    verdict: Literal['solved', 'unsolvable', 'stopped']
    """Whether the game has a value."""

    value: list[float]
    """The value for each role; empty if there is none. An expected value is the nearest number; see `value_exact`."""

    value_exact: Optional[list[str]]
    """The value as fractions such as `200/3`, where lots or chance take part."""

    solution: Literal['value', 'maximin', 'nash']
    """What is meant by the value."""

    evidence: Evidence
    """What the answer rests on."""

    bounds: Optional[list[RoleBound]]
    """What each role can be sure of and can be held to, where there is no value."""

    security: Optional[list[SecurityLevel]]
    """What each role can make sure of by lots, where roles choose at once and there is no value."""

    states: int
    """Reachable states; 0 where only one position was solved (`plan`, `proof`)."""

    layers: int
    """Layers of states."""

    engine: str
    """The engine that solved it: `explicit`, `layered`, `symbolic`, `plan` or `proof`."""

    layer_states: list[int]
    """States of each layer."""

    layer_nodes: Optional[list[int]]
    """Diagram nodes that hold the states of each layer; only of the symbolic engine."""

    terminal: int
    """States in which the game is over."""

    outcomes: list[OutcomeCount]
    """States for each value; with lots or chance only if there are at most a thousand different values."""

    endless: int
    """States from which play can go on for ever."""

    stuck: int
    """States that are not over and in which some role has no move; they are taken as ends."""

    odd_rewards: int
    """Ends at which some role has no reward, or several."""

    simultaneous: int
    """States in which several roles besides chance choose at once."""

    drawn: int
    """States in which chance has several moves."""

    progress: Optional[bool]
    """Whether a measure of progress is proved to keep the layers apart; only where layers are looked at."""

    measure: Optional[str]
    """What it is."""

    symmetries: int
    """Symmetries of the rules that were proved and used, the one that changes nothing included."""

    digest: Optional[str]
    """A hash of all states and values, the same for equal solutions; only of the layered engine."""

    disk: Optional[DiskFigures]
    """What a solution on disk took."""

    constant_sum: bool
    """Whether the rewards of all ends have the same sum."""

    peak_nodes: Optional[int]
    """The most diagram nodes at once; only of the symbolic engine."""

    work: Optional[int]
    """Diagram nodes looked up or made; only of the symbolic engine."""

    checked: int
    """Positions that were compared with the plain reading of the rules."""

    hidden: Optional[HiddenFigures]
    """What is special about hidden moves, if there are some."""

    strategy: Optional[list[InformationSet]]
    """How the roles draw their moves, for games with hidden moves and at most a thousand information sets."""

    position: Optional[Position]
    """The position that was asked for."""

    line: Optional[Line]
    """Moves that lead to the value; only of the planner."""

    proof: Optional[ProofFigures]
    """What the proof search took."""

    seconds: float
    """Seconds of wall time."""

    phases: Phases
    """Seconds of each phase."""

    peak_memory: Optional[int]
    """The most bytes that the process held, if the caller knows."""


class GoSolveOptions(CallOptions, total=False):
    """How a life-and-death problem is to be solved."""

    search: Literal['auto', 'plan', 'dfpn']
    """Which search to run."""

    suicide: Literal['forbidden', 'several']
    """Whether a move may take the mover's own stones off."""

    critics: bool
    """Whether critics may insert goals into a plan."""

    check: bool
    """Whether a proof is replayed by slow rules before it is returned."""

    whole: bool
    """Whether the answer has the board as SVG and the contingency tree with the goal of each move."""

    seed: int
    """The seed of sampling."""


class FirstMove(Record):
    """What a first move leads to."""

    move: str
    """The move."""

    result: Literal['clean', 'ko', 'seki', 'none']
    """What it achieves; `none` if the other side refutes it. Whether a target that is kept has two eyes is left open."""

    proved: bool
    """Whether that is proved for the whole board."""

    line: list[str]
    """What follows: the refutation, or the longest resistance against the move."""


class Contingency(Record):
    """A move of the contingency tree with all that may follow."""

    by: str
    """The colour that moves."""

    move: str
    """The move."""

    goal: str
    """The goals it serves."""

    wins: Optional[bool]
    """Whether the player who moves wins after it; `None` if that is not known."""

    then: list[Contingency]
    """Every reply of the losing side, or the answer of the winning one."""


class GoSolveAnswer(Answer):
    """The answer to a life-and-death problem. Its JSON form is what `counterplay go solve --json` prints. Points and moves are GTP vertices such as `C4`."""

    verdict: Literal['solved', 'unsolvable', 'stopped']
    """`solved` if a success is proved, `unsolvable` if it is proved that there is none, else `stopped`."""

    move: Optional[str]
    """The move to play; left out if there is no way, or none was found."""

    result: Literal['clean', 'ko', 'seki', 'none']
    """What the move achieves."""

    status: Literal['alive', 'dead', 'ko', 'seki']
    """What becomes of the target if both sides play well."""

    tier: Literal['plan', 'search', 'region', 'reading', 'knowledge', 'guess']
    """What the answer rests on."""

    goal: str
    """What the player to move wants: `kill`, `save`, `connect` or `separate`."""

    target: str
    """A stone of the group that the problem is about."""

    inferred: bool
    """Whether the target was inferred from the position, not marked."""

    candidates: list[str]
    """If it was inferred: stones of all groups that may be meant, the likeliest first."""

    settled: Optional[bool]
    """`true` if it is proved that the target's fate does not depend on who moves first, `false` if that it does; `None` if neither."""

    moves: Optional[list[FirstMove]]
    """Every first move in the region, the best first, if it was asked for."""

    tried: Optional[FirstMove]
    """What a move that was asked about leads to."""

    moves_tried: int
    """Moves that the planner and the searches tried."""

    cycles: int
    """Planning cycles."""

    sampled: int
    """Playouts that were sampled."""

    line: list[str]
    """The main line."""

    why: list[str]
    """A sentence that says why, then the goals that the move serves, the most abstract first."""

    region: int
    """The number of points of the region that was searched."""

    framed: int
    """The number of points outside the region that are taken to be the attacker's."""

    closed: bool
    """Whether the target cannot get out of the region."""

    checked: Optional[bool]
    """`true` if slow rules of their own replayed the proof in full."""

    evidence: Evidence
    """What the answer rests on, in the words that all answers share."""

    eyes: Optional[bool]
    """Whether a target that is to be saved can be given two eyes without a ko; `None` if that is not proved."""

    tree: int
    """The number of moves in the contingency tree."""

    limit: Optional[str]
    """The limit that was reached before there was an answer: `time`, `cpu`, `memory`, `nodes` or `interrupt`."""

    svg: Optional[str]
    """The board with the answer as SVG, if it was asked for."""

    contingency: Optional[list[Contingency]]
    """The contingency tree, if it was asked for."""

    seconds: float
    """Seconds of wall time."""


class GroundAnswer(Answer):
    """The size of a finite task. Its JSON form is what `counterplay ground --json` prints."""

    variables: int
    """Variables, derived ones included."""

    derived: int
    """Derived variables."""

    facts: int
    """Values of all variables together."""

    operators: int
    """Ground operators."""

    conditional_effects: int
    """Effects with a condition."""

    axioms: int
    """Ground axioms."""

    goals: int
    """Facts of the goal."""

    mutex_groups: int
    """Groups of facts of which one holds at a time."""

    mutex_pairs: int
    """Pairs of facts that never hold together."""

    least_cost: Optional[float]
    """The least cost of an operator."""

    greatest_cost: Optional[float]
    """The greatest cost of an operator."""

    seconds: float
    """Seconds of wall time."""

    phases: Phases
    """Seconds of each phase."""

    peak_memory: Optional[int]
    """The most bytes that the process held, if the caller knows."""


class AnnouncedPercept(Record):
    """What the referee announces of a try, as it is written in JSON."""

    legal: bool
    """Whether the try was a legal move."""

    capture: Optional[str]
    """The square of a captured man."""

    checks: Optional[list[str]]

    end: Optional[str]


class Step(Record):
    """One step of a history."""

    by: str
    """Who acted: `w` or `b`."""

    try_: Optional[str]
    """What was tried, if the own side acted."""

    illegal_heard: Optional[int]
    """Rejected tries of the other side that were heard."""

    percept: AnnouncedPercept
    """What the referee announced."""

    states: Optional[int]
    """The recorded size of the belief state."""

    sha256: Optional[str]
    """The recorded hash of the belief state."""


class KriegspielDatabaseRowAnswer(Answer):
    """A problem of a database. The fields that `solve` and `estimate` read have the names they expect."""

    id: str
    """A name that no other row of the database has."""

    game: int
    """The number of the game that the problem comes from, from zero."""

    kind: str
    """`mate` or `near-miss`."""

    root_fen: str
    """Where the history begins."""

    history: list[Step]
    """What White tried and heard."""

    belief: list[str]
    """The positions that agree with the history, sorted."""

    size: int
    """The number of these positions."""

    depth: int
    """Within how many plies to mate."""

    mate: bool
    """Whether a plan mates in all positions."""

    first_try: Optional[str]
    """What that plan tries first."""

    winnable: Optional[int]
    """In how many positions a plan mates, if none mates in all."""

    true_state: str
    """The position in which the game really was."""


class EstimatedStep(Record):
    """The belief state after a step."""

    states: int
    """The number of positions."""

    sha256: str
    """SHA-256 of the sorted positions, a line each, without a last line end."""

    ok: bool
    """Whether both are as the history records them, if it does."""


class KriegspielEstimateAnswer(Answer):
    """The sizes of the belief state after each step. Its JSON form is what `counterplay kriegspiel estimate --json` prints for a history."""

    id: Any
    """The name of the history, or its number."""

    steps: list[EstimatedStep]
    """The belief state after each step."""

    positions: Optional[list[str]]
    """The positions after the last step, sorted, if they were asked for."""


class KriegspielGenerateOptions(CallOptions, total=False):
    """Which problems to make."""

    mates: int
    """How many mates to find."""

    near_misses: int
    """How many near misses to find."""

    depth: int
    """Within how many plies to mate: an odd number from 1 to 199."""

    hints: int
    """Hints (rejected tries) that White gets on each turn."""

    material_wins: bool
    """Whether known material wins count as mates."""

    seed: int
    """The same seed gives the same problems."""


class KriegspielGenerateAnswer(Answer):
    """What a generator has made. Its JSON form is what `counterplay kriegspiel generate --json` prints."""

    verdict: Literal['solved', 'unsolvable', 'stopped']
    """`solved` if there are enough problems, `stopped` if a limit came first."""

    mates: int
    """Problems with a guaranteed mate."""

    near_misses: int
    """Problems in which a plan mates in at least half of the positions, but none in all."""

    games: int
    """Games that were played."""


class KriegspielImportAnswer(Answer):
    """A problem that was read from PGN. Its JSON form is a line of what `counterplay kriegspiel import` prints."""

    id: str
    """The `Event` of the game, or its number."""

    line: int
    """The line of the text on which the game begins."""

    root_fen: str
    """Where the history begins."""

    history: list[Step]
    """What was tried and heard."""

    belief: list[str]
    """The positions that agree with the history, sorted."""

    size: int
    """The number of these positions."""

    depth: int
    """Within how many plies to mate."""


class KriegspielMatchOptions(CallOptions, total=False):
    """Who plays, and how."""

    first: str
    """The first player: expert, careful, rash, greedy, random, evader (who sees the board), or the name of a program"""

    second: str
    """The second player"""

    games: int
    """How many games; the players change colours from game to game"""

    rules: str
    """What the referee announces: paper, wild16, cincinnati or rand"""

    fen: str
    """Where to begin; both players know it"""

    moves: int
    """A game is drawn after so many moves of each side; rejected tries do not count"""

    keep_colours: bool
    """The first player has White in every game"""

    seed: int
    """The seed of everything that is left to chance."""

    threads: Optional[int]
    """How many games are played at the same time; as many as there are cores if it is left open. The answer does not depend on it."""


class MatchGame(Record):
    """One game of a match."""

    game: int
    """Its number, from 1."""

    white: str
    """The name of the player with White."""

    winner: Optional[str]
    """`w` or `b`; null for a draw."""

    end: str
    """How it ended: `checkmate`, `stalemate`, `insufficient`, `unfinished`, `resigned` or `forfeited`."""

    plies: int
    """Accepted moves of both sides."""

    rejected: list[int]
    """Rejected tries of White and of Black."""

    position: str
    """The last position."""


class KriegspielMatchMatchFault(Record):
    """A player that failed."""

    player: str
    """The name of the player."""

    game: int
    """The number of the game, from 1."""

    why: str
    """What it did wrong, in a sentence."""


class KriegspielMatchAnswer(Answer):
    """The result of a match, from the first player's side. Its JSON form is what `counterplay kriegspiel match --json` prints."""

    verdict: Optional[str]
    """`stopped` if a limit ended the match: the games finished by then count. Left out otherwise."""

    limit: Optional[str]
    """The name of the limit."""

    players: list[str]
    """The names of the players."""

    rules: str
    """The rule set."""

    games: int
    """Games that were finished."""

    wins: int
    """Games that the first player won."""

    draws: int
    """Drawn games, those that reached the largest number of moves among them."""

    losses: int
    """Games that the first player lost."""

    score: Optional[float]
    """The first player's share of the points; null without a game."""

    elo: Optional[float]
    """The difference in rating points at which that score is expected; null if it is without bound or there is no game."""

    elo_low: Optional[float]
    """The lower end of its 95 % confidence interval (Wilson); null if it is without bound."""

    elo_high: Optional[float]
    """The upper end."""

    p_value: float
    """The chance of so many wins or more among the decided games if both were equal (sign test, one-sided)."""

    results: list[MatchGame]
    """The finished games, in their order."""

    faults: list[KriegspielMatchMatchFault]
    """Games in which a player failed; they count as lost."""

    seconds: float
    """Seconds of wall time."""


class News(Record):
    """What the referee announced."""

    by: str
    """The side that tried: `w` or `b`."""

    try_: Optional[str]
    """The try; left out if it is hidden."""

    said: str
    """What the referee said."""


class KriegspielPlayEndingAnswer(Answer):
    """The game is over, or was left. Its JSON form is what `counterplay kriegspiel play --lines` prints last."""

    end: str
    """`checkmate`, `stalemate`, `insufficient` or `unfinished`."""

    winner: Optional[str]
    """The side that mated: `w` or `b`."""

    size: int
    """The number of ranks and files of the board."""

    men: dict[str, str]
    """The men of both sides by square, as letters of the FEN."""

    news: list[News]
    """What the referee announced since the last time."""


class KriegspielPlayOptions(CallOptions, total=False):
    """Which game to play."""

    white: Literal['you', 'careful', 'expert', 'greedy', 'rash', 'random']
    """The player of White."""

    black: Literal['you', 'careful', 'expert', 'greedy', 'rash', 'random']
    """The player of Black."""

    fen: str
    """Where to begin."""

    moves: int
    """The game stops after so many moves of each side; rejected tries do not count."""

    seed: int
    """The same seed gives the same game."""


class BeliefShares(Record):
    """Where the men of the other side may stand, by all that was heard."""

    positions: int
    """The number of positions that are held possible."""

    exact: bool
    """Whether no possible position is missing."""

    men: dict[str, dict[str, float]]
    """For each square and man, in which share of the positions it stands there."""


class KriegspielPlayWantedAnswer(Answer):
    """A try is wanted. Its JSON form is what `counterplay kriegspiel play --lines` prints then."""

    waiting: bool
    """Always `true`."""

    you: str
    """The side of the person: `w` or `b`."""

    size: int
    """The number of ranks and files of the board."""

    men: dict[str, str]
    """The own men by square, as letters of the FEN."""

    tries: list[str]
    """What may still be tried."""

    news: list[News]
    """What the referee announced since the last time."""

    belief: BeliefShares
    """Where the men of the other side may stand."""


class RecordedTry(Record):
    """A try of a game, with what the referee said of it."""

    by: str
    """The side that tried: `w` or `b`."""

    try_: str
    """The try, such as `e2e4`."""

    said: str
    """What the referee said."""


class KriegspielPlayAnswer(Answer):
    """A whole game. Its JSON form is what `counterplay kriegspiel play --json` prints."""

    end: str
    """`checkmate`, `stalemate`, `insufficient` or `unfinished`."""

    winner: Optional[str]
    """The side that mated: `w` or `b`."""

    position: str
    """The last position, as FEN."""

    tries: list[RecordedTry]
    """All tries in their order."""


class KriegspielSolveOptions(CallOptions, total=False):
    """How a mate is to be looked for."""

    algorithm: Literal['auto', 'dfs', 'l-dfs', 'g-dfs', 'gl-dfs', 'gx-dfs', 'e-dfs', 'udb', 'le-dfs', 'pns', 'l-pns', 'e-pns', 'dub', 'l-dub', 'dbu', 'l-dbu', 'gl-dbu', 'ipns', 'd-ipns', 'df-pn', 'foresight']
    """Which search to run."""

    material_wins: bool
    """Whether known material wins count as wins: queen, rook, pawn, two bishops, or bishop and knight, guarded by the king."""

    proof: bool
    """Whether the answer has the whole proof tree, and for lost problems the positions that refute them."""

    certificate: bool
    """Whether a proof that a stranger can follow is made, for a file."""

    confirm: Optional[int]
    """How many questions the slow referee may ask to confirm that there is no mate. Without a number a second algorithm confirms it if that is quick."""

    check: bool
    """Whether the slow referee follows a plan before it is returned, and the absence of a plan is confirmed."""

    search_seconds: Optional[float]
    """The search is stopped after so many seconds. The check of its plan does not count."""


class ProofReply(Record):
    """An announcement after a reply of the opponent, and how to go on."""

    heard: AnnouncedPercept
    """What the referee says of the reply."""

    then: ProofTree
    """What to try then."""


class ProofAfter(Record):
    """An announcement after a try, and what the opponent may reply."""

    heard: AnnouncedPercept
    """What the referee says of the try."""

    replies: list[ProofReply]
    """For each announcement after the opponent's reply, how to go on."""


class ProofTree(Record):
    """A try, and how to go on after everything that the referee may say."""

    try_: str
    """What to try, such as `e2e4`."""

    illegal: Optional[ProofTree]
    """How to go on if it is rejected; left out if it cannot be."""

    after: list[ProofAfter]
    """How to go on if it is accepted; left out if it mates in every position in which it is legal."""


class RefutationText(Record):
    """Why there is no mate: positions that together have no plan, as FEN, and a line of play in the first of them."""

    states: list[str]
    """No position can be left out."""

    line: list[str]
    """Tries and replies from the first position, after which nothing mates in time."""


class KriegspielSolveAnswer(Answer):
    """Whether a checkmate can be forced. Its JSON form is what `counterplay kriegspiel solve --json` prints for a problem."""

    id: Any
    """The name of the problem, or its number."""

    verdict: Literal['solved', 'unsolvable', 'stopped']
    """`solved` if a plan mates in all positions, `unsolvable` if it is proved that none does, else `stopped`."""

    first_try: Optional[str]
    """What the plan tries first, in long algebraic form such as `c5e7` or `b7b8q`."""

    plies: Optional[int]
    """The most plies until the plan has mated."""

    states: int
    """Physical states that the search generated."""

    expanded: int
    """Belief states that the search expanded."""

    size: int
    """The number of positions of the belief state."""

    algorithm: str
    """The search that ran."""

    checked: Optional[bool]
    """`true` if the plan was followed by the slow referee, or the absence of a plan was confirmed."""

    evidence: Optional[Evidence]
    """What the verdict rests on; `None` if it is `stopped`."""

    proof: Optional[Union[int, ProofTree]]
    """The number of tries in the plan, or the proof tree if it was asked for."""

    refutation: Optional[RefutationText]
    """Positions that together have no plan, if they were asked for."""

    limit: Optional[str]
    """The limit that was reached: `time`, `cpu`, `memory`, `nodes` or `interrupt`."""

    seconds: float
    """Seconds of search and check; the confirmation that there is no plan does not count."""


class MdpOptions(CallOptions, total=False):
    """How a decision process is to be solved."""

    objective: Optional[Literal['max-prob', 'min-cost', 'discounted', 'horizon']]
    """What a policy is to achieve. Left open: what a discount or horizon says, else the least expected cost if a goal can be reached for sure, else the greatest probability."""

    discount: Optional[str]
    """How much rewards and costs count one step later, such as `0.95` or `19/20`."""

    horizon: Optional[int]
    """After so many steps everything ends."""

    uniform: bool
    """Whether the outcomes of `oneof` are equally likely; else they are refused."""

    check: bool
    """Whether the policy is checked."""


class MdpRule(Record):
    """What to do in a state."""

    state: str
    """The state: its name, or the atoms that are true."""

    action: str

    value: float
    """What the state is worth."""


class MdpAnswer(Answer):
    """The answer to a decision process. Its JSON form is what `counterplay mdp --json` prints."""

    verdict: Literal['solved', 'unsolvable', 'stopped']
    """`solved`, `unsolvable` or `stopped`."""

    objective: Literal['max-prob', 'min-cost', 'discounted', 'horizon']
    """What the policy is to achieve."""

    value: Optional[float]
    """The best value at the initial state: a probability, an expected cost, or an expected sum of rewards less costs."""

    exact: Optional[str]
    """The same as a fraction, if it is known exactly."""

    lower_bound: Optional[float]
    """No value is less than this."""

    upper_bound: Optional[float]
    """No value is more than this."""

    probability: Optional[float]
    """The probability with which the policy reaches a goal."""

    cost: Optional[float]
    """The expected cost of the policy until then; left out unless a goal is reached for sure."""

    states: Optional[int]
    """States that were looked at: all that can be reached, if these are not too many."""

    actions: Optional[int]
    """Actions in them, counted state by state."""

    policy: Optional[list[MdpRule]]
    """What to do, for the states that can come up under the policy. With a horizon, what to do first."""

    evidence: Evidence
    """What the answer rests on."""

    limit: Optional[str]
    """The limit that was reached."""

    why: Optional[str]
    """Why there is no policy, or what is not known."""

    seconds: float
    """Seconds of wall time, reading included."""

    phases: Phases
    """Seconds of wall time for each phase."""


class Which(TypedDict, total=False):
    """Which of all plans."""

    cheapest: int

    within: int


class Plans(TypedDict, total=False):
    """Which plans are wanted, where one is not enough."""

    which: Which
    """Which of all plans."""

    loopless: bool
    """Whether plans that visit a state twice are left out."""

    unordered: bool
    """Whether of plans with the same actions in another order one is enough."""

    count: bool
    """Whether they are only counted."""


class SolveOptions(CallOptions, total=False):
    """How a problem is to be solved. What is left open is decided by what measured best."""

    search: Literal['auto', 'bfs', 'dijkstra', 'astar', 'explicit', 'symbolic']
    """Which search to run."""

    direction: Optional[Literal['forward', 'backward', 'both']]
    """Which way a symbolic search goes; with the search left open it means `dijkstra`."""

    heuristic: Optional[Literal['lmcut', 'blind', 'abstractions']]
    """The heuristic of the explicit search; with the search left open it means `explicit`."""

    quality: Literal['any', 'improve', 'optimal']
    """How good a plan has to be."""

    plans: Union[int, Literal['all-optimal'], Plans, None]
    """Several plans instead of one."""

    class_: Optional[Literal['strong', 'strong-cyclic', 'weak']]
    """What a policy has to guarantee; as much as possible if it is left open."""

    hidden: bool
    """Whether the state is hidden although nothing in the files says so: `oneof` in `:init` is then not seen."""

    htn: Optional[Literal['shop', 'network', 'nd', 'yoyo']]
    """How a task network is used."""

    effort: Optional[int]
    """How many pairs of state and network may be visited to make a plan of a task network shorter."""

    check: bool
    """Whether the answer is checked before it is returned."""

    certificate: bool
    """Whether a certificate is wanted: a proof that no plan is better, or that there is none, for a checker of others."""

    picture: bool
    """Whether a picture of a policy or a decomposition is wanted."""

    seed: int
    """The seed of everything that is left to chance."""


class FoundPlan(Record):
    """One of several plans."""

    cost: float
    """What it costs, in the problem's own units."""

    length: int

    plan: list[str]
    """Its steps."""


class Preference(Record):
    """How one preference fares under a plan."""

    name: str
    """Its name in the problem."""

    held: bool
    """Whether none of its instances is violated."""

    violated: int
    """How many of its instances are violated; one in a precondition counts at each application."""

    weight: float
    """By how much each violation changes the metric."""


class PolicyRule(Record):
    """If the condition holds, and no earlier one does, take the action."""

    if_: list[str]
    """Literals that all have to hold."""

    do: str
    """The action, as `(op a b)`."""


class PlanBranch(Record):
    """If all of this is seen, the plan goes on at a node."""

    if_: list[str]
    """Literals that are observed; none where there is one way only."""

    node: int
    """The number of the node."""


class PlanStep(Record):
    """A step of a contingent plan."""

    action: str
    """The action, as `(op a b)`."""

    next: list[PlanBranch]
    """Where the plan goes on."""


class PlanPlace(Record):
    """One place in a contingent plan."""

    node: int
    """Its number."""

    do: list[PlanStep]
    """What to do: nothing where the goal is reached; one of several, picked at random each time, in some strong-cyclic plans."""


class SearchReport(Record):
    """What a search did. Figures that a search does not have are left out."""

    ran: str
    """The search that ran."""

    layers: Optional[int]
    """Layers, or rounds of a fixpoint."""

    expanded: Optional[int]
    """States expanded one by one."""

    beliefs: Optional[int]
    """Belief states that were met."""

    peak_nodes: Optional[int]
    """The most nodes of decision diagrams at a time."""

    lower_bound: Optional[float]
    """No plan costs less."""

    upper_bound: Optional[float]
    """A plan of this cost is known."""

    rounds: Optional[int]
    """Rounds of the search for a first decomposition."""

    first_length: Optional[int]
    """The length of the first plan of a task network."""

    improvements: Optional[int]
    """How often a shorter one was found."""

    pairs: Optional[int]
    """Pairs of state and network."""


class Certificate(Record):
    """What a certificate consists of, and what it rests on."""

    written: bool
    """Whether the files were written; if not, `why` says what kept them from being."""

    why: Optional[str]
    """Why there is no proof."""

    claim: str
    """`unsolvable` or `at-least`; of a policy its class; `no-weak`, `no-strong` or `no-strong-cyclic` where there is none."""

    bound: Optional[float]
    """What every plan costs at least, in the problem's own units; soft goals that are violated count as costs."""

    format: str
    """The format of the proof."""

    files: list[str]
    """The files, in the folder that was asked for."""

    bytes: Optional[int]
    """Bytes of formula and proof together, or of the lists of nodes."""

    states: int
    """States that were expanded one by one in the proof, or nodes that are listed."""

    estimates: int
    """Estimates that cover states that were not."""

    layers: int
    """Layers, each a set of states given by a decision diagram."""

    nodes: int
    """Nodes of these diagrams."""

    proved_inside: list[str]
    """What the proof uses, and proves."""

    switched_off: list[str]
    """What searches use otherwise and the proof does without."""

    seconds: float
    """Seconds for the invariant."""

    write_seconds: Optional[float]
    """Seconds for writing the files."""


class SolveAnswer(Answer):
    """The answer to a planning problem. Its JSON form is what `counterplay solve --json` prints; what does not apply to a kind of problem is null or left out."""

    verdict: Literal['solved', 'unsolvable', 'stopped']
    """`solved`, `unsolvable` or `stopped`."""

    kind: Literal['plan', 'net-benefit', 'policy', 'htn', 'conformant', 'contingent']
    """What kind of problem it is."""

    cost: Optional[float]
    """What the actions of the plan cost, in the problem's own units."""

    metric: Optional[float]
    """The value of the problem's `:metric`."""

    length: Optional[int]
    """Steps of the plan, pairs of the policy, nodes of a policy over networks, or places of a contingent plan where something is done."""

    depth: Optional[int]
    """The most steps that a contingent plan may take; left out for other kinds and for plans with cycles."""

    optimal: Optional[bool]
    """Whether no plan is better; left out for policies."""

    plan: Optional[list[str]]
    """The plan, a step `(op a b)` each: the best one known; `optimal` says whether no other is better."""

    lower_bound: Optional[float]
    """What an optimal plan costs is at least this; for net benefit, what its metric is."""

    upper_bound: Optional[float]
    """And at most this."""

    plans: Optional[list[FoundPlan]]
    """Several plans: those that were asked for, or those that were found on the way, each better than the one before."""

    count: Optional[str]
    """How many plans there are of the kind that was asked for, in decimal digits since it may be large; left out if there may be more."""

    preferences: Optional[list[Preference]]
    """How each preference fares under the plan."""

    bound: Optional[float]
    """No plan has a better metric than this."""

    class_: Optional[Literal['strong', 'strong-cyclic', 'weak']]
    """What the policy guarantees."""

    impossible: Optional[list[Literal['strong', 'strong-cyclic', 'weak']]]
    """Classes of which it was proved that no policy has them."""

    open: Optional[list[Literal['strong', 'strong-cyclic', 'weak']]]
    """Classes stronger than that of the policy of which it was not decided in time whether a policy has them; none where one class was asked for."""

    impossible_checked_by: Optional[str]
    """The code that confirmed what `impossible` says of the next stronger class, where a policy was found."""

    checked: Optional[Literal['complete', 'sampled', 'none']]
    """How much of the policy was checked."""

    policy: Optional[Union[list[PolicyRule], list[str], list[PlanPlace]]]
    """The policy."""

    decomposition: Optional[str]
    """The decomposition of a task network with its reasons, indented."""

    graph: Optional[str]
    """The policy as a graph (SVG), if a picture was asked for."""

    search: Optional[SearchReport]
    """What the search did; `None` if it was not begun."""

    evidence: Evidence
    """What the answer rests on."""

    certificate: Optional[Certificate]
    """The certificate, if one was asked for."""

    limit: Optional[str]
    """The limit that was reached: `time`, `cpu`, `memory`, `nodes`, `interrupt`, or `loop` for a task that comes up inside itself."""

    why: Optional[str]
    """The same in words."""

    seconds: float
    """Seconds of wall time."""

    phases: Phases
    """Seconds of each phase."""

    peak_memory: Optional[int]
    """The most bytes that the process held, if the caller knows."""
