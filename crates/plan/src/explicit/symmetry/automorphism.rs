//! Generators of the automorphism group of a graph.
//!
//! One chain of partitions is computed by individualizing one vertex after the other until every cell is a single
//! vertex. An automorphism that fixes the first vertices of the chain and moves the next one is found by following
//! the chain with other vertices, preferring the same ones, and comparing how cells split. From the bottom of the
//! chain to its top, one automorphism is sought for each orbit that is not known yet. Each is verified edge by edge,
//! so whatever is cut short here costs symmetries but never correctness.

use super::partition::{Graph, Partition, Scratch};

/// Vertices tried in vain before the search for one automorphism is given up.
const MOST_TRIES: u32 = 64;

/// A chain may hold this many vertices, each level counting all of them.
const MOST_CHAIN: usize = 1 << 22;

/// One level of the chain: the partition before a vertex is individualized, the vertex, and how cells split then.
struct Level {
    partition: Partition,
    vertex: u32,
    trace: u64,
}

/// Generators of (a subgroup of) the automorphism group, each as the image of every vertex. Only cells with a vertex
/// below `moving` are looked at. Stops when `most_work` edges have been looked at.
pub(super) fn generators(graph: &Graph, moving: u32, most_work: u64) -> Vec<Vec<u32>> {
    let mut scratch = Scratch::default();
    let mut partition = Partition::new(graph, &mut scratch);
    let mut chain: Vec<Level> = Vec::new();
    let mut from = 0;
    // A chain keeps a partition for each level.
    let most_levels = MOST_CHAIN / (graph.len() + 1);
    while let Some(cell) = partition.first_open(from) {
        if chain.len() > most_levels || scratch.work > most_work {
            return Vec::new();
        }
        let vertex = *partition.members(cell).iter().min().expect("cells are not empty");
        let before = partition.clone();
        let trace = partition.individualize(graph, vertex, &mut scratch);
        chain.push(Level { partition: before, vertex, trace });
        from = cell;
    }

    let mut found: Vec<Vec<u32>> = Vec::new();
    let mut orbits = Orbits::new(graph.len());
    for depth in (0..chain.len()).rev() {
        let Level { partition: before, vertex, .. } = &chain[depth];
        if *vertex >= moving {
            continue;
        }
        let mut others = before.members(before.cell_of(*vertex)).to_vec();
        others.sort_unstable();
        for other in others {
            if scratch.work > most_work {
                return found;
            }
            if orbits.find(other) == orbits.find(*vertex) {
                continue;
            }
            if let Some(image) = follow(graph, &chain[depth..], &partition, other, &mut scratch) {
                orbits.join_all(&image);
                found.push(image);
            }
        }
    }
    found
}

/// An automorphism that maps the first vertex of the chain to `first`, if one is found easily.
fn follow(
    graph: &Graph,
    chain: &[Level],
    end: &Partition,
    first: u32,
    scratch: &mut Scratch,
) -> Option<Vec<u32>> {
    // What is still to be tried at each level, the best last; and the partition of the image before it.
    let mut open: Vec<(Partition, Vec<u32>)> = vec![(chain[0].partition.clone(), vec![first])];
    let mut tries = 0;
    while let Some((before, candidates)) = open.last_mut() {
        let Some(candidate) = candidates.pop() else {
            open.pop();
            continue;
        };
        tries += 1;
        if tries > MOST_TRIES + chain.len() as u32 {
            return None;
        }
        let mut after = before.clone();
        let depth = open.len() - 1;
        if after.individualize(graph, candidate, scratch) != chain[depth].trace {
            continue;
        }
        match chain.get(depth + 1) {
            Some(next) => {
                let cell = next.partition.cell_of(next.vertex);
                let mut candidates = after.members(cell).to_vec();
                candidates.sort_unstable_by(|a, b| b.cmp(a));
                if let Some(same) = candidates.iter().position(|&v| v == next.vertex) {
                    candidates.remove(same);
                    candidates.push(next.vertex);
                }
                open.push((after, candidates));
            }
            None => {
                let mut image = vec![0; graph.len()];
                for (&from, &to) in end.order.iter().zip(&after.order) {
                    image[from as usize] = to;
                }
                if graph.is_automorphism(&image) {
                    return Some(image);
                }
            }
        }
    }
    None
}

/// Which vertices the automorphisms found so far map to each other.
struct Orbits {
    parent: Vec<u32>,
}

impl Orbits {
    fn new(len: usize) -> Orbits {
        Orbits { parent: (0..len as u32).collect() }
    }

    fn find(&mut self, mut vertex: u32) -> u32 {
        while self.parent[vertex as usize] != vertex {
            let above = self.parent[self.parent[vertex as usize] as usize];
            self.parent[vertex as usize] = above;
            vertex = above;
        }
        vertex
    }

    fn join_all(&mut self, image: &[u32]) {
        for (from, &to) in image.iter().enumerate() {
            let (a, b) = (self.find(from as u32), self.find(to));
            self.parent[a.max(b) as usize] = a.min(b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::collections::HashSet;

    /// The size of the group that permutations generate, by closing under composition.
    fn group_size(generators: &[Vec<u32>], len: usize) -> usize {
        let identity: Vec<u32> = (0..len as u32).collect();
        let mut group: HashSet<Vec<u32>> = HashSet::from([identity.clone()]);
        let mut open = vec![identity];
        while let Some(permutation) = open.pop() {
            for generator in generators {
                let product: Vec<u32> = permutation.iter().map(|&v| generator[v as usize]).collect();
                if group.insert(product.clone()) {
                    open.push(product);
                }
            }
        }
        group.len()
    }

    /// All automorphisms by trying every permutation.
    fn count_all(graph: &Graph) -> usize {
        fn extend(graph: &Graph, image: &mut Vec<u32>) -> usize {
            if image.len() == graph.len() {
                return usize::from(graph.is_automorphism(image));
            }
            let mut sum = 0;
            for v in 0..graph.len() as u32 {
                if !image.contains(&v) {
                    image.push(v);
                    sum += extend(graph, image);
                    image.pop();
                }
            }
            sum
        }
        extend(graph, &mut Vec::new())
    }

    #[test]
    fn generators_of_small_graphs_generate_the_whole_group() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for _ in 0..150 {
            let n = rng.random_range(2..=7u32);
            let colours = (0..n).map(|_| u64::from(rng.random_range(0..2u32))).collect();
            let edges: Vec<Vec<(u32, u32)>> = (0..2)
                .map(|_| {
                    let pairs = (0..n).flat_map(|a| (0..a).map(move |b| (a, b)));
                    pairs.filter(|_| rng.random_ratio(1, 3)).collect()
                })
                .collect();
            let graph = Graph::new(colours, &edges);
            let found = generators(&graph, n, u64::MAX);
            assert_eq!(group_size(&found, n as usize), count_all(&graph));
        }
    }

    #[test]
    fn a_cycle_has_rotations_and_reflections() {
        let edges = vec![(0..9u32).map(|i| (i, (i + 1) % 9)).collect()];
        let graph = Graph::new(vec![0; 9], &edges);
        assert_eq!(group_size(&generators(&graph, 9, u64::MAX), 9), 18);
    }
}
