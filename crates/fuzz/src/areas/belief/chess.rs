//! The twin's chess: small boards with kings, queens, rooks, bishops, knights and pawns that move one square, from the rules.

/// A man: its letter as in a FEN; upper case is White's.
pub(super) type Man = char;

/// A position on a board of `size` times `size` squares. There is neither castling nor a double step, so also no en passant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Chess {
    pub(super) size: i8,
    pub(super) white: bool,
    /// By rank and file, from a1.
    squares: Vec<Option<Man>>,
}

/// From, to, and what a pawn becomes.
pub(super) type Step = ((i8, i8), (i8, i8), Option<char>);

/// What is announced: the square of a capture, and the sorted directions of check.
pub(super) type Told = (Option<(i8, i8)>, Vec<&'static str>);

/// What the rules say after a move.
pub(super) enum After {
    Mate,
    Drawn,
    Open(Told, Chess),
}

const LINES: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONALS: [(i8, i8); 4] = [(1, 1), (-1, -1), (1, -1), (-1, 1)];

impl Chess {
    /// Reads the placement and the turn of a FEN.
    pub(super) fn read(fen: &str) -> Option<Chess> {
        let mut words = fen.split_whitespace();
        let rows: Vec<&str> = words.next()?.split('/').collect();
        let size = rows.len();
        let mut squares = Vec::new();
        for row in rows.iter().rev() {
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(gap) => squares.extend(vec![None; gap as usize]),
                    None => squares.push(Some(letter)),
                }
            }
        }
        let white = words.next()? == "w";
        (squares.len() == size * size).then_some(Chess { size: size as i8, white, squares })
    }

    fn at(&self, (file, rank): (i8, i8)) -> Option<Man> {
        self.squares[(rank * self.size + file) as usize]
    }

    fn inside(&self, (file, rank): (i8, i8)) -> bool {
        (0..self.size).contains(&file) && (0..self.size).contains(&rank)
    }

    fn men(&self) -> Vec<((i8, i8), Man)> {
        let all = (0..self.size).flat_map(|rank| (0..self.size).map(move |file| (file, rank)));
        all.filter_map(|square| self.at(square).map(|man| (square, man))).collect()
    }

    /// Where the man on `from` goes if check did not matter. For a pawn, `captures` says whether to list its captures or its steps.
    fn targets(&self, from: (i8, i8), man: Man, captures: bool) -> Vec<(i8, i8)> {
        let step = |(dx, dy): (i8, i8)| (from.0 + dx, from.1 + dy);
        let up = if man.is_uppercase() { 1 } else { -1 };
        let leaps = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
        let (directions, far): (Vec<(i8, i8)>, bool) = match man.to_ascii_lowercase() {
            'p' if captures => (vec![(-1, up), (1, up)], false),
            'p' => (vec![(0, up)], false),
            'n' => (leaps.to_vec(), false),
            'k' => ([LINES, DIAGONALS].concat(), false),
            'q' => ([LINES, DIAGONALS].concat(), true),
            'r' => (LINES.to_vec(), true),
            _ => (DIAGONALS.to_vec(), true),
        };
        let mut found = Vec::new();
        for direction in directions {
            let mut to = step(direction);
            while self.inside(to) {
                found.push(to);
                if !far || self.at(to).is_some() {
                    break;
                }
                to = (to.0 + direction.0, to.1 + direction.1);
            }
        }
        found
    }

    /// The men of a side that attack a square.
    fn attackers(&self, white: bool, square: (i8, i8)) -> Vec<((i8, i8), Man)> {
        let own = self.men().into_iter().filter(|(_, man)| man.is_uppercase() == white);
        own.filter(|&(from, man)| self.targets(from, man, true).contains(&square)).collect()
    }

    /// Who gives check to a side.
    fn checkers(&self, white: bool) -> Vec<((i8, i8), Man)> {
        let king = if white { 'K' } else { 'k' };
        let square = self.men().into_iter().find(|(_, man)| *man == king).map(|(square, _)| square);
        square.map_or(Vec::new(), |square| self.attackers(!white, square))
    }

    fn made(&self, (from, to, into): Step) -> Chess {
        let mut next = self.clone();
        let man = next.squares[(from.1 * self.size + from.0) as usize].take();
        let case = |letter: char| if self.white { letter.to_ascii_uppercase() } else { letter };
        next.squares[(to.1 * self.size + to.0) as usize] = into.map(case).or(man);
        next.white = !self.white;
        next
    }

    /// The legal moves.
    pub(super) fn moves(&self) -> Vec<Step> {
        let mut found = Vec::new();
        for (from, man) in self.men().into_iter().filter(|(_, man)| man.is_uppercase() == self.white) {
            let pawn = man.eq_ignore_ascii_case(&'p');
            for captures in if pawn { vec![false, true] } else { vec![true] } {
                for to in self.targets(from, man, captures) {
                    let own = self.at(to).is_some_and(|other| other.is_uppercase() == self.white);
                    if own || pawn && captures != self.at(to).is_some() {
                        continue;
                    }
                    let last = pawn && (to.1 == 0 || to.1 == self.size - 1);
                    let into = if last { vec!['q', 'r', 'b', 'n'] } else { Vec::new() };
                    let steps = into.iter().map(|&into| (from, to, Some(into)));
                    let plain = (!last).then_some((from, to, None));
                    found.extend(
                        steps.chain(plain).filter(|&step| self.made(step).checkers(self.white).is_empty()),
                    );
                }
            }
        }
        found
    }

    /// Neither side can mate: bare kings with one bishop or knight, or with bishops of one colour of squares.
    fn is_drawn(&self) -> bool {
        let rest: Vec<((i8, i8), char)> = self
            .men()
            .into_iter()
            .map(|(square, man)| (square, man.to_ascii_lowercase()))
            .filter(|(_, man)| *man != 'k')
            .collect();
        if rest.iter().any(|(_, man)| "qrp".contains(*man)) {
            return false;
        }
        let colours: Vec<i8> = rest.iter().map(|((file, rank), _)| (file + rank) % 2).collect();
        let bishops_alike =
            rest.iter().all(|(_, man)| *man == 'b') && colours.windows(2).all(|pair| pair[0] == pair[1]);
        rest.len() <= 1 || bishops_alike
    }

    /// The direction from which a checker attacks the king: along the file or the rank, by a knight, or along the longer or the shorter
    /// of the king's two diagonals. Of two equal ones, the diagonal from bottom left to top right counts as the longer.
    fn direction(&self, king: (i8, i8), from: (i8, i8), man: Man) -> &'static str {
        let count =
            |dx: i8, dy: i8| (1..).take_while(|n| self.inside((king.0 + n * dx, king.1 + n * dy))).count();
        let rising = count(1, 1) + count(-1, -1);
        let falling = count(1, -1) + count(-1, 1);
        let is_rising = (from.0 - king.0) * (from.1 - king.1) > 0;
        match () {
            () if man.eq_ignore_ascii_case(&'n') => "knight",
            () if from.0 == king.0 => "file",
            () if from.1 == king.1 => "rank",
            () if is_rising == (rising >= falling) => "long",
            () => "short",
        }
    }

    /// What the rules say after a legal move.
    pub(super) fn after(&self, step: Step) -> After {
        let next = self.made(step);
        let checkers = next.checkers(next.white);
        let stuck = next.moves().is_empty();
        if stuck && !checkers.is_empty() {
            return After::Mate;
        }
        if stuck || next.is_drawn() {
            return After::Drawn;
        }
        let king = if next.white { 'K' } else { 'k' };
        let square = next.men().into_iter().find(|(_, man)| *man == king).map(|(square, _)| square);
        let mut directions: Vec<&'static str> = Vec::new();
        if let Some(king) = square {
            directions.extend(checkers.iter().map(|&(from, man)| next.direction(king, from, man)));
            directions.sort_unstable();
            directions.dedup();
        }
        let capture = self.at(step.1).map(|_| step.1);
        After::Open((capture, directions), next)
    }

    /// The placement and the turn as a FEN.
    pub(super) fn fen(&self) -> String {
        let row = |rank: i8| {
            let mut text = String::new();
            let mut gap = 0;
            for file in 0..self.size {
                match self.at((file, rank)) {
                    None => gap += 1,
                    Some(man) => {
                        if gap > 0 {
                            text += &gap.to_string();
                        }
                        gap = 0;
                        text.push(man);
                    }
                }
            }
            if gap > 0 { text + &gap.to_string() } else { text }
        };
        let rows: Vec<String> = (0..self.size).rev().map(row).collect();
        format!("{} {} - - 0 1", rows.join("/"), if self.white { 'w' } else { 'b' })
    }

    /// An empty board.
    pub(super) fn empty(size: i8, white: bool) -> Chess {
        Chess { size, white, squares: vec![None; (size * size) as usize] }
    }

    /// Puts a man on a square, if it is free.
    pub(super) fn put(&mut self, (file, rank): (i8, i8), man: Man) -> bool {
        let square = &mut self.squares[(rank * self.size + file) as usize];
        let free = square.is_none();
        *square = square.or(Some(man));
        free
    }

    /// Whether the side that is not on turn is in check, which cannot be.
    pub(super) fn is_impossible(&self) -> bool {
        !self.checkers(!self.white).is_empty()
    }
}
