//! The dataflow between workers (timely dataflow: Murray et al. 2013): states to the worker that owns them, questions about values and their
//! answers, and what all workers have to agree on.
//!
//! Work is cut into rounds. A worker that is a few rounds ahead waits for the others, so that what is under way stays small; at a barrier all have
//! received everything.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::{Exchange, Pipeline};
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::vec::Broadcast;
use timely::dataflow::operators::{Input, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

use crate::collect::Collector;
use crate::error::ClusterError;
use crate::store::part_of;
use crate::values::Lookup;

/// A question: which value has a state? With the place of its predecessor at the worker that asks, and who asks by which move.
pub(crate) type Question = (u64, u32, u32);
/// An answer: who asked, the place of the predecessor, and the role of the move together with the value.
pub(crate) type Answer = (u32, u32, u32);

/// What a worker tells all others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Word {
    pub(crate) worker: usize,
    /// The phase that it ends. A worker that is ahead may have told its next word already.
    phase: u64,
    /// Why it cannot go on.
    pub(crate) trouble: Option<String>,
    pub(crate) numbers: Vec<u64>,
}

/// What has come in.
#[derive(Default)]
pub(crate) struct Inbox {
    pub(crate) collector: Option<Collector>,
    pub(crate) lookup: Lookup,
    pub(crate) words: Vec<Word>,
    pub(crate) trouble: Option<ClusterError>,
}

impl Inbox {
    fn note(&mut self, outcome: Result<(), ClusterError>) {
        if let Err(error) = outcome {
            self.trouble.get_or_insert(error);
        }
    }
}

type Sender<T> = InputHandle<u64, CapacityContainerBuilder<Vec<T>>>;

/// The ways out of a worker, and what has come in.
pub(crate) struct Flow {
    states: Sender<u64>,
    questions: Sender<Question>,
    words: Sender<Word>,
    probe: ProbeHandle<u64>,
    time: u64,
    pub(crate) inbox: Rc<RefCell<Inbox>>,
    /// Bytes that were sent to other workers.
    pub(crate) sent: u64,
}

/// Rounds that a worker may be ahead.
const AHEAD: u64 = 3;
/// Times of a phase, between two barriers.
const PHASE: u64 = 1 << 32;
/// Without work a worker waits so long before it looks again.
const WAIT: Duration = Duration::from_millis(20);
/// Bytes of what is sent.
const STATE_BYTES: u64 = 8;
const QUESTION_BYTES: u64 = 16 + 12;

impl Flow {
    /// The dataflow of one worker.
    pub(crate) fn new(worker: &mut Worker, parts: usize, moves: usize) -> Flow {
        let inbox: Rc<RefCell<Inbox>> = Rc::default();
        let probe = ProbeHandle::new();
        let peers = worker.peers();
        let (states, questions, words) = worker.dataflow::<u64, _, _>(|scope| {
            let (states, stream) = scope.new_input::<Vec<u64>>();
            let own = Rc::clone(&inbox);
            let owner = move |state: &u64| (part_of(*state, parts) % peers) as u64;
            stream
                .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
                    Exchange::new(owner),
                    "collect",
                    |_, _| {
                        move |input, _| {
                            input.for_each(|_, states: &mut Vec<u64>| {
                                let inbox = &mut *own.borrow_mut();
                                let early = || ClusterError::Lost { why: "states came too early".to_owned() };
                                let collector = inbox.collector.as_mut().ok_or_else(early);
                                let added = collector.and_then(|collector| collector.add(states));
                                inbox.note(added);
                            });
                        }
                    },
                )
                .probe_with(&probe);
            let (questions, stream) = scope.new_input::<Vec<Question>>();
            let own = Rc::clone(&inbox);
            let owner = move |question: &Question| (part_of(question.0, parts) % peers) as u64;
            let answers = stream.unary::<CapacityContainerBuilder<Vec<Answer>>, _, _, _>(
                Exchange::new(owner),
                "look up",
                |_, _| {
                    move |input, output| {
                        input.for_each(|time, questions: &mut Vec<Question>| {
                            let inbox = &mut *own.borrow_mut();
                            let mut session = output.session(&time);
                            for &(state, place, mark) in questions.iter() {
                                let value = inbox.lookup.answer(state, mark as usize);
                                let a_move = mark as usize % moves;
                                let role = inbox.lookup.role_of(a_move);
                                let asker = mark / moves as u32;
                                session.give((asker, place, (role as u32) << 8 | u32::from(value)));
                            }
                        });
                    }
                },
            );
            let own = Rc::clone(&inbox);
            answers
                .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
                    Exchange::new(|answer: &Answer| u64::from(answer.0)),
                    "decide",
                    |_, _| {
                        move |input, _| {
                            input.for_each(|_, answers: &mut Vec<Answer>| {
                                let inbox = &mut *own.borrow_mut();
                                for &(_, place, value) in answers.iter() {
                                    inbox.lookup.improve(place as usize, (value >> 8) as usize, value as u8);
                                }
                            });
                        }
                    },
                )
                .probe_with(&probe);
            let (words, stream) = scope.new_input::<Vec<Word>>();
            let own = Rc::clone(&inbox);
            stream
                .broadcast()
                .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(Pipeline, "agree", |_, _| {
                    move |input, _| {
                        input.for_each(|_, words: &mut Vec<Word>| own.borrow_mut().words.append(words))
                    }
                })
                .probe_with(&probe);
            (states, questions, words)
        });
        Flow { states, questions, words, probe, time: 0, inbox, sent: 0 }
    }

    /// Sends states to their owners.
    pub(crate) fn send_states(&mut self, states: &mut Vec<u64>) {
        self.sent += STATE_BYTES * states.len() as u64;
        self.states.send_batch(states);
    }

    /// Sends questions to the owners of the states.
    pub(crate) fn send_questions(&mut self, questions: &mut Vec<Question>) {
        self.sent += QUESTION_BYTES * questions.len() as u64;
        self.questions.send_batch(questions);
    }

    /// Ends a round: lets others catch up, and takes in what has come.
    pub(crate) fn round(&mut self, worker: &mut Worker) {
        self.advance(self.time + 1);
        worker.step();
        let within = self.time % PHASE;
        while within > AHEAD && self.probe.less_than(&(self.time - AHEAD)) {
            worker.step_or_park(Some(WAIT));
        }
    }

    /// Waits until all workers are here and everything that was sent has come.
    pub(crate) fn barrier(&mut self, worker: &mut Worker) {
        self.advance((self.time / PHASE + 1) * PHASE);
        while self.probe.less_than(&self.time) {
            worker.step_or_park(Some(WAIT));
        }
    }

    fn advance(&mut self, time: u64) {
        self.time = time;
        self.states.advance_to(time);
        self.questions.advance_to(time);
        self.words.advance_to(time);
    }

    /// Tells all workers something, and returns what each of them told, in their order. If one cannot go on, none does.
    pub(crate) fn agree(
        &mut self,
        worker: &mut Worker,
        outcome: Result<Vec<u64>, ClusterError>,
    ) -> Result<Vec<Vec<u64>>, ClusterError> {
        let late = self.inbox.borrow_mut().trouble.take();
        let outcome = late.map_or(outcome, Err);
        let own = worker.index();
        let phase = self.time / PHASE;
        let word = match &outcome {
            Ok(numbers) => Word { worker: own, phase, trouble: None, numbers: numbers.clone() },
            Err(error) => Word { worker: own, phase, trouble: Some(error.to_string()), numbers: Vec::new() },
        };
        self.words.send(word);
        self.barrier(worker);
        let mut words: Vec<Word> =
            self.inbox.borrow_mut().words.extract_if(.., |word| word.phase == phase).collect();
        outcome?;
        words.sort_by_key(|word| word.worker);
        if let Some(Word { worker, trouble: Some(why), .. }) =
            words.iter().find(|word| word.trouble.is_some())
        {
            return Err(ClusterError::Elsewhere { worker: *worker, why: why.clone() });
        }
        if words.len() != worker.peers() {
            return Err(ClusterError::Lost { why: "not all workers have spoken".to_owned() });
        }
        Ok(words.into_iter().map(|word| word.numbers).collect())
    }
}
