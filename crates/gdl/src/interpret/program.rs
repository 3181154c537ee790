//! The relations of a rule sheet: what they depend on, and which of them depend on each other.

use counterplay_base::{Id, IdVec, id};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::{Atom, Keyword, Literal, Rule, Rules, Symbol};

id! {
    /// A relation that has rules or is used as a condition; `true` and `does` are none.
    pub struct RelationId;
    /// Relations that depend on each other.
    pub struct ComponentId;
}

/// For how long what was found out about a relation stays right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lifetime {
    /// For ever.
    Rules,
    /// As long as the state is the same.
    State,
    /// As long as the state and the moves are the same.
    Moves,
}

#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub(super) arity: usize,
    pub(super) lifetime: Lifetime,
    pub(super) component: ComponentId,
    /// The rules with this head, by number.
    pub(super) rules: Vec<usize>,
    /// Whether all its rules are facts.
    pub(super) is_facts: bool,
}

/// The rules, by relation.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) rules: Rules,
    pub(super) relations: IdVec<RelationId, Relation>,
    by_name: FxHashMap<Symbol, RelationId>,
    /// The relation that tells players what they perceive, if there is one.
    pub(super) percepts: Option<RelationId>,
}

impl Program {
    pub(super) fn new(rules: Rules) -> Program {
        let given = [Keyword::True, Keyword::Does].map(|keyword| rules.symbol(keyword));
        let mut relations: IdVec<RelationId, Relation> = IdVec::new();
        let mut by_name: FxHashMap<Symbol, RelationId> = FxHashMap::default();
        let mut name_of: Vec<Symbol> = Vec::new();
        let mut add = |name: Symbol, arity: usize| {
            *by_name.entry(name).or_insert_with(|| {
                name_of.push(name);
                relations.push(Relation {
                    arity,
                    lifetime: Lifetime::Rules,
                    component: ComponentId::new(0),
                    rules: Vec::new(),
                    is_facts: true,
                })
            })
        };
        // What players ask for exists even if nothing is said about it.
        for keyword in [Keyword::Init, Keyword::Next, Keyword::Legal, Keyword::Goal, Keyword::Terminal] {
            add(rules.symbol(keyword), keyword.arity());
        }
        for rule in &rules.rules {
            add(rule.head.name, rule.head.args.len());
            for atom in conditions(rule).filter(|atom| !given.contains(&atom.name)) {
                add(atom.name, atom.args.len());
            }
        }
        for (number, rule) in rules.rules.iter().enumerate() {
            let relation = &mut relations[by_name[&rule.head.name]];
            relation.rules.push(number);
            relation.is_facts &= rule.body.is_empty();
        }
        let percepts = rules.percepts().and_then(|name| by_name.get(&name).copied());
        let mut program = Program { rules, relations, by_name, percepts };
        program.lifetimes(given);
        program.components();
        program
    }

    pub(super) fn relation(&self, name: Symbol) -> RelationId {
        self.by_name[&name]
    }

    /// The relation of a keyword that players ask for.
    pub(super) fn keyword(&self, keyword: Keyword) -> RelationId {
        self.by_name[&self.rules.symbol(keyword)]
    }

    /// The rules of a relation.
    pub(super) fn rules_of(&self, relation: RelationId) -> impl Iterator<Item = &Rule> {
        self.relations[relation].rules.iter().map(|&number| &self.rules.rules[number])
    }

    fn lifetimes(&mut self, [state, does]: [Symbol; 2]) {
        let mut changed = true;
        while changed {
            changed = false;
            for rule in &self.rules.rules {
                let needs = conditions(rule).map(|atom| match atom.name {
                    name if name == state => Lifetime::State,
                    name if name == does => Lifetime::Moves,
                    name => self.relations[self.by_name[&name]].lifetime,
                });
                let needs = needs.max().unwrap_or(Lifetime::Rules);
                let relation = &mut self.relations[self.by_name[&rule.head.name]];
                if needs > relation.lifetime {
                    relation.lifetime = needs;
                    changed = true;
                }
            }
        }
    }

    /// Strongly connected components, by two searches in depth (Kosaraju), without recursion.
    fn components(&mut self) {
        let count = self.relations.len();
        let mut uses: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut used_by: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut seen = FxHashSet::default();
        for rule in &self.rules.rules {
            let head = self.by_name[&rule.head.name].index();
            for atom in conditions(rule) {
                if let Some(below) = self.by_name.get(&atom.name).map(|below| below.index())
                    && seen.insert((head, below))
                {
                    uses[head].push(below);
                    used_by[below].push(head);
                }
            }
        }
        let mut order = Vec::new();
        let mut visited = vec![false; count];
        for root in 0..count {
            if std::mem::replace(&mut visited[root], true) {
                continue;
            }
            let mut path = vec![(root, 0)];
            while let Some((node, next)) = path.last_mut() {
                match uses[*node].get(*next) {
                    Some(&below) => {
                        *next += 1;
                        if !std::mem::replace(&mut visited[below], true) {
                            path.push((below, 0));
                        }
                    }
                    None => {
                        order.push(*node);
                        path.pop();
                    }
                }
            }
        }
        let mut placed = vec![false; count];
        let mut component = 0;
        for &root in order.iter().rev() {
            if placed[root] {
                continue;
            }
            let mut open = vec![root];
            while let Some(node) = open.pop() {
                if !std::mem::replace(&mut placed[node], true) {
                    self.relations[RelationId::new(node)].component = ComponentId::new(component);
                    open.extend(&used_by[node]);
                }
            }
            component += 1;
        }
    }
}

/// The atoms in the body of a rule.
fn conditions(rule: &Rule) -> impl Iterator<Item = &Atom> {
    rule.body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
        Literal::Distinct(..) | Literal::Same(..) => None,
    })
}
