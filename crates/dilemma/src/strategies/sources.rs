//! Where strategies come from.

pub(super) const AXELROD_FIRST: &str =
    "Axelrod, Effective choice in the prisoner's dilemma, Journal of Conflict Resolution 24 (1980)";
pub(super) const AXELROD_SECOND: &str =
    "Axelrod, More effective choice in the prisoner's dilemma, Journal of Conflict Resolution 24 (1980)";
pub(super) const AXELROD_BOOK: &str = "Axelrod, The Evolution of Cooperation (1984)";
pub(super) const LIBRARY: &str =
    "Knight et al., An open framework for the reproducible study of the iterated prisoner's dilemma (2016)";
pub(super) const PRISON: &str = "PRISON, programme of Beaufils, Delahaye and Mathieu (1998)";
pub(super) const GRADUAL: &str = "Beaufils, Delahaye and Mathieu, Our meeting with Gradual (1997)";
pub(super) const LI: &str =
    "Li, Hingston and Kendall, Engineering design of strategies for winning IPD competitions (2011)";
pub(super) const NOWAK: &str =
    "Nowak and Sigmund, A strategy of win-stay, lose-shift that outperforms tit-for-tat, Nature 364 (1993)";
pub(super) const HILBE: &str =
    "Hilbe, Nowak and Traulsen, Adaptive dynamics of extortion and compliance (2013)";
pub(super) const STEWART: &str =
    "Stewart and Plotkin, Extortion and cooperation in the prisoner's dilemma, PNAS 109 (2012)";
pub(super) const PRESS: &str =
    "Press and Dyson, IPD contains strategies that dominate any evolutionary opponent, PNAS 109 (2012)";
pub(super) const NACHBAR: &str = "Nachbar, Evolution in the finitely repeated prisoner's dilemma (1992)";
pub(super) const FREAN: &str = "Frean, The prisoner's dilemma without synchrony (1994)";
pub(super) const MITTAL: &str =
    "Mittal and Deb, Optimal strategies of the iterated prisoner's dilemma problem (2009)";
pub(super) const WU: &str =
    "Wu and Axelrod, How to cope with noise in the iterated prisoner's dilemma (1995)";
pub(super) const TZAFESTAS: &str = "Tzafestas, Toward adaptive cooperative behavior (2000)";
pub(super) const SLANY: &str = "Slany and Kienreich, On some winning strategies for the IPD (2007)";
pub(super) const ROBSON: &str =
    "Robson, Efficiency in evolutionary games: Darwin, Nash and the secret handshake (1990)";
pub(super) const ASHLOCK_2006: &str =
    "Ashlock, Kim and Ashlock, Fingerprint analysis of the noisy prisoner's dilemma (2006)";
pub(super) const ASHLOCK_2008: &str =
    "Ashlock and Kim, Fingerprinting: visualization and automatic analysis (2008)";
pub(super) const ASHLOCK_2014: &str =
    "Ashlock and Ashlock, Changes in prisoner's dilemma strategies over evolutionary time (2014)";
pub(super) const BERG: &str = "van den Berg and Weissing, The importance of mechanisms for evolution (2015)";
pub(super) const LESSWRONG: &str = "Prisoner's dilemma tournament of LessWrong (2011)";
