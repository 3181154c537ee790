//! A game given by a payoff matrix, seen from one side.

use counterplay_base::{Id, id};

id! {
    /// A move of the agent that plans.
    pub struct Act;
    /// A move of the other agent.
    pub struct Reply;
}

/// One round: what we did and what the other did at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joint {
    pub act: Act,
    pub reply: Reply,
}

/// What each pair of simultaneous moves is worth to us. The other's worth does not matter here: its behaviour is
/// predicted, not reasoned out.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixGame {
    acts: usize,
    replies: usize,
    payoffs: Vec<f64>,
}

impl MatrixGame {
    /// The game with a row for each of our moves and a column for each of the other's. `None` if there is no move,
    /// rows differ in length, or a payoff is not a finite number.
    pub fn new(rows: &[Vec<f64>]) -> Option<MatrixGame> {
        let replies = rows.first()?.len();
        let sound = |row: &Vec<f64>| row.len() == replies && row.iter().all(|worth| worth.is_finite());
        if replies == 0 || !rows.iter().all(sound) {
            return None;
        }
        Some(MatrixGame { acts: rows.len(), replies, payoffs: rows.concat() })
    }

    /// The number of our moves.
    pub fn acts(&self) -> impl ExactSizeIterator<Item = Act> + use<> {
        (0..self.acts).map(Act::new)
    }

    /// The number of the other player's moves.
    pub fn replies(&self) -> impl ExactSizeIterator<Item = Reply> + use<> {
        (0..self.replies).map(Reply::new)
    }

    /// What a round is worth to us.
    pub fn payoff(&self, joint: Joint) -> f64 {
        self.payoffs[joint.act.index() * self.replies + joint.reply.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_must_be_a_matrix() {
        assert!(MatrixGame::new(&[]).is_none());
        assert!(MatrixGame::new(&[vec![]]).is_none());
        assert!(MatrixGame::new(&[vec![1.0], vec![1.0, 2.0]]).is_none());
        assert!(MatrixGame::new(&[vec![f64::NAN]]).is_none());
        let game = MatrixGame::new(&[vec![3.0, 0.0], vec![5.0, 1.0]]).expect("it is a matrix");
        assert_eq!(game.payoff(Joint { act: Act::new(1), reply: Reply::new(0) }), 5.0);
    }
}
