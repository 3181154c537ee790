//! Plans of task networks as the planning competition of 2020 writes them.
//!
//! ```text
//! ==>
//! 0 drive truck home shop
//! 1 load truck milk
//! root 2
//! 2 fetch milk -> by-truck 0 1
//! <==
//! ```
//! Between the arrows each line is an action with its number, or the numbers of the initial tasks, or a compound
//! task with its method and the numbers of its subtasks. What stands outside is ignored.

use std::collections::HashMap;

use counterplay_pddl::model::{ActionId, MethodId, ObjectId, Problem, TaskId};
use counterplay_syntax::{Diagnostic, FileId, Label, Severity, Sources, Span, similar};

use crate::plan_file::{ERROR_LIMIT, Step};

/// A compound task of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refined {
    pub task: TaskId,
    pub arguments: Vec<ObjectId>,
    /// The method it was refined by.
    pub method: MethodId,
    /// The numbers of its subtasks.
    pub subtasks: Vec<u64>,
    pub at: Span,
}

/// A plan with its decomposition, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecompositionText {
    /// The actions in order, with their numbers.
    pub actions: Vec<(u64, Step)>,
    /// The numbers of the initial tasks.
    pub roots: Vec<u64>,
    pub roots_at: Span,
    /// The compound tasks, with their numbers.
    pub tasks: Vec<(u64, Refined)>,
}

/// One thing that is wrong with such a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecompositionError {
    /// There is no `==>` or no `root` line.
    #[error("the plan has no line `{line}`")]
    Missing {
        line: &'static str,
        /// The end of the file.
        at: Span,
    },
    /// A line that is nothing of the three kinds.
    #[error("expected {expected}")]
    Malformed { expected: &'static str, at: Span },
    /// A name that nothing has.
    #[error("unknown {what} `{name}`")]
    Unknown {
        /// What it should name.
        what: &'static str,
        /// The name as written.
        name: String,
        at: Span,
        /// A name that looks like it.
        similar: Option<String>,
    },
    /// A number used for two lines.
    #[error("the number {number} stands for two tasks")]
    Twice {
        number: u64,
        /// The second line.
        at: Span,
    },
}

impl DecompositionError {
    /// The error with its place, for people.
    pub fn diagnostic(&self) -> Diagnostic {
        let (code, at, help) = match self {
            DecompositionError::Missing { at, .. } => ("htn-plan::missing", at, None),
            DecompositionError::Malformed { at, .. } => ("htn-plan::malformed", at, None),
            DecompositionError::Unknown { at, similar, .. } => {
                let help = similar.as_ref().map(|name| format!("did you mean `{name}`?"));
                ("htn-plan::unknown", at, help)
            }
            DecompositionError::Twice { at, .. } => ("htn-plan::twice", at, None),
        };
        let labels = vec![Label { span: *at, text: String::new() }];
        Diagnostic { severity: Severity::Error, code, message: self.to_string(), labels, help }
    }
}

/// Whether a text looks like a plan with its decomposition.
pub fn is_decomposition(sources: &Sources, file: FileId) -> bool {
    sources.files[file].text.lines().any(|line| line.trim() == "==>")
}

/// Reads a plan with its decomposition. All errors come back together, up to a hundred.
pub fn read_decomposition(
    sources: &Sources,
    file: FileId,
    problem: &Problem,
) -> Result<DecompositionText, Vec<DecompositionError>> {
    let text = &sources.files[file].text;
    let end = Span { file, start: text.len() as u32, end: text.len() as u32 };
    let mut reader = DecompositionParser::new(problem, file, end);
    let mut start = 0;
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        let at = Span { file, start: start as u32, end: (start + line.trim_end().len()) as u32 };
        start += line.len();
        match line.trim() {
            "==>" => inside = true,
            "<==" => break,
            "" => {}
            _ if inside => reader.line(line.trim_end(), at),
            _ => {}
        }
        if reader.errors.len() >= ERROR_LIMIT {
            break;
        }
    }
    if !inside {
        reader.errors.push(DecompositionError::Missing { line: "==>", at: end });
    } else if !reader.has_roots {
        reader.errors.push(DecompositionError::Missing { line: "root ...", at: end });
    }
    if reader.errors.is_empty() { Ok(reader.found) } else { Err(reader.errors) }
}

struct DecompositionParser<'p> {
    problem: &'p Problem,
    actions: HashMap<String, ActionId>,
    objects: HashMap<String, ObjectId>,
    tasks: HashMap<String, TaskId>,
    methods: HashMap<String, MethodId>,
    numbers: HashMap<u64, ()>,
    found: DecompositionText,
    has_roots: bool,
    errors: Vec<DecompositionError>,
}

impl<'p> DecompositionParser<'p> {
    fn new(problem: &'p Problem, file: FileId, end: Span) -> DecompositionParser<'p> {
        let hierarchy = problem.hierarchy.as_ref();
        let tasks = hierarchy.into_iter().flat_map(|it| it.tasks.enumerate());
        let methods = hierarchy.into_iter().flat_map(|it| it.methods.enumerate());
        DecompositionParser {
            problem,
            actions: problem.actions.enumerate().map(|(id, it)| (it.name.to_lowercase(), id)).collect(),
            objects: problem.objects.enumerate().map(|(id, it)| (it.name.to_lowercase(), id)).collect(),
            tasks: tasks.map(|(id, it)| (it.name.to_lowercase(), id)).collect(),
            methods: methods.map(|(id, it)| (it.name.to_lowercase(), id)).collect(),
            numbers: HashMap::new(),
            found: DecompositionText {
                actions: Vec::new(),
                roots: Vec::new(),
                roots_at: Span { file, ..end },
                tasks: Vec::new(),
            },
            has_roots: false,
            errors: Vec::new(),
        }
    }

    fn line(&mut self, line: &str, at: Span) {
        let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
        if words[0] == "root" {
            self.has_roots = true;
            self.found.roots_at = at;
            self.found.roots = self.numbers(&words[1..], at);
            return;
        }
        let (Ok(number), Some(name)) = (words[0].parse::<u64>(), words.get(1)) else {
            let expected = "a line such as `3 drive a b`, `root 4` or `4 deliver p -> method 0 3`";
            self.errors.push(DecompositionError::Malformed { expected, at });
            return;
        };
        if self.numbers.insert(number, ()).is_some() {
            self.errors.push(DecompositionError::Twice { number, at });
        }
        match words.iter().position(|word| word == "->") {
            None => {
                let arguments = self.arguments(&words[2..], at);
                let Some(&action) = self.actions.get(name.as_str()) else {
                    if self.tasks.contains_key(name.as_str()) {
                        let expected = "`-> method ...` after a compound task";
                        self.errors.push(DecompositionError::Malformed { expected, at });
                    } else {
                        let known = self.problem.actions.iter().map(|it| it.name.as_str());
                        let similar = similar(name, known).map(str::to_owned);
                        self.unknown("action", name, at, similar);
                    }
                    return;
                };
                if let Some(arguments) = arguments {
                    self.found.actions.push((number, Step { action, arguments, at: Some(at) }));
                }
            }
            Some(arrow) => self.refined(number, &words, arrow, at),
        }
    }

    fn refined(&mut self, number: u64, words: &[String], arrow: usize, at: Span) {
        let name = &words[1];
        let arguments = words.get(2..arrow).and_then(|words| self.arguments(words, at));
        let task = self.tasks.get(name.as_str()).copied();
        if task.is_none() {
            let similar = similar(name, self.tasks.keys().map(String::as_str)).map(str::to_owned);
            self.unknown("task", name, at, similar);
        }
        let Some(method) = words.get(arrow + 1) else {
            let expected = "a method after `->`";
            self.errors.push(DecompositionError::Malformed { expected, at });
            return;
        };
        let subtasks = self.numbers(&words[arrow + 2..], at);
        let Some(&method) = self.methods.get(method.as_str()) else {
            let similar = similar(method, self.methods.keys().map(String::as_str)).map(str::to_owned);
            self.unknown("method", method, at, similar);
            return;
        };
        if let (Some(task), Some(arguments)) = (task, arguments) {
            self.found.tasks.push((number, Refined { task, arguments, method, subtasks, at }));
        }
    }

    fn numbers(&mut self, words: &[String], at: Span) -> Vec<u64> {
        let numbers: Result<Vec<u64>, _> = words.iter().map(|word| word.parse()).collect();
        if numbers.is_err() {
            let expected = "numbers of tasks";
            self.errors.push(DecompositionError::Malformed { expected, at });
        }
        numbers.unwrap_or_default()
    }

    fn arguments(&mut self, words: &[String], at: Span) -> Option<Vec<ObjectId>> {
        let mut found = Some(Vec::new());
        for word in words {
            if self.errors.len() >= ERROR_LIMIT {
                return None;
            }
            match (self.objects.get(word.as_str()), &mut found) {
                (Some(&object), Some(found)) => found.push(object),
                (Some(_), None) => {}
                (None, _) => {
                    let similar = similar(word, self.objects.keys().map(String::as_str)).map(str::to_owned);
                    self.unknown("object", word, at, similar);
                    found = None;
                }
            }
        }
        found
    }

    fn unknown(&mut self, what: &'static str, name: &str, at: Span, similar: Option<String>) {
        self.errors.push(DecompositionError::Unknown { what, name: name.to_owned(), at, similar });
    }
}
