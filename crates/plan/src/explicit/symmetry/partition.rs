//! Coloured graphs, and ordered partitions of their vertices that refine themselves.
//!
//! An ordered partition is equitable if any two vertices of a cell have equally many neighbours in every other
//! cell, by every kind of edge. Refinement makes it so by splitting cells, in an order that depends only on the
//! structure: two partitions that an automorphism maps onto each other are split alike (McKay 1981).

/// A graph with several kinds of edges.
#[derive(Debug)]
pub(super) struct Graph {
    /// For each kind of edge, the neighbours of vertex `v` are `neighbours[start[v]..start[v + 1]]`, sorted.
    kinds: Vec<(Vec<u32>, Vec<u32>)>,
    colours: Vec<u64>,
}

impl Graph {
    /// A graph from the colours of its vertices and the edges of each kind.
    pub(super) fn new(colours: Vec<u64>, edges: &[Vec<(u32, u32)>]) -> Graph {
        let kinds = edges
            .iter()
            .map(|edges| {
                let mut both: Vec<(u32, u32)> = edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
                both.sort_unstable();
                both.dedup();
                let mut start = vec![0u32; colours.len() + 1];
                both.iter().for_each(|&(from, _)| start[from as usize + 1] += 1);
                (0..colours.len()).for_each(|v| start[v + 1] += start[v]);
                (start, both.into_iter().map(|(_, to)| to).collect())
            })
            .collect();
        Graph { kinds, colours }
    }

    pub(super) fn len(&self) -> usize {
        self.colours.len()
    }

    fn neighbours(&self, kind: usize, vertex: u32) -> &[u32] {
        let (start, neighbours) = &self.kinds[kind];
        &neighbours[start[vertex as usize] as usize..start[vertex as usize + 1] as usize]
    }

    /// Whether a permutation of the vertices keeps colours and edges.
    pub(super) fn is_automorphism(&self, image: &[u32]) -> bool {
        let mut images: Vec<u32> = Vec::new();
        (0..self.len() as u32).all(|v| {
            let to = image[v as usize];
            self.colours[v as usize] == self.colours[to as usize]
                && (0..self.kinds.len()).all(|kind| {
                    images.clear();
                    images.extend(self.neighbours(kind, v).iter().map(|&n| image[n as usize]));
                    images.sort_unstable();
                    images == self.neighbours(kind, to)
                })
        })
    }
}

/// An ordered partition of the vertices of a graph. A cell is named by the position of its first vertex.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    /// The vertices, cell by cell.
    pub(super) order: Vec<u32>,
    /// The position of each vertex in the order.
    position: Vec<u32>,
    /// The cell of each vertex.
    cell: Vec<u32>,
    /// The length of the cell that begins at a position.
    length: Vec<u32>,
}

/// Room for refinements, kept between them.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    count: Vec<u32>,
    touched: Vec<u32>,
    touched_cells: Vec<u32>,
    pending: Vec<u32>,
    is_pending: Vec<bool>,
    splitter: Vec<u32>,
    /// Edges looked at so far.
    pub(super) work: u64,
}

impl Partition {
    /// The coarsest equitable partition that respects the colours.
    pub(super) fn new(graph: &Graph, scratch: &mut Scratch) -> Partition {
        let n = graph.len();
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by_key(|&v| graph.colours[v as usize]);
        let mut partition =
            Partition { position: vec![0; n], cell: vec![0; n], length: vec![0; n], order: order.clone() };
        let mut begin = 0;
        let mut cells = Vec::new();
        for same in order.chunk_by(|&a, &b| graph.colours[a as usize] == graph.colours[b as usize]) {
            for (i, &v) in same.iter().enumerate() {
                partition.position[v as usize] = (begin + i) as u32;
                partition.cell[v as usize] = begin as u32;
            }
            partition.length[begin] = same.len() as u32;
            cells.push(begin as u32);
            begin += same.len();
        }
        partition.refine(graph, &cells, scratch);
        partition
    }

    /// The vertices of a cell.
    pub(super) fn members(&self, cell: u32) -> &[u32] {
        &self.order[cell as usize..(cell + self.length[cell as usize]) as usize]
    }

    /// The first cell of several vertices at or after a position.
    pub(super) fn first_open(&self, mut from: u32) -> Option<u32> {
        while (from as usize) < self.order.len() {
            if self.length[from as usize] > 1 {
                return Some(from);
            }
            from += 1;
        }
        None
    }

    /// The cell of a vertex.
    pub(super) fn cell_of(&self, vertex: u32) -> u32 {
        self.cell[vertex as usize]
    }

    /// Puts a vertex into a cell of its own, before the rest of its cell, and refines. The result tells how cells
    /// were split; it is the same for partitions that an automorphism maps onto each other.
    pub(super) fn individualize(&mut self, graph: &Graph, vertex: u32, scratch: &mut Scratch) -> u64 {
        // The caller has made a copy before.
        scratch.work += graph.len() as u64;
        let cell = self.cell[vertex as usize];
        self.swap(self.position[vertex as usize], cell);
        let rest = self.length[cell as usize] - 1;
        self.length[cell as usize] = 1;
        if rest > 0 {
            self.length[cell as usize + 1] = rest;
            for i in cell + 1..=cell + rest {
                self.cell[self.order[i as usize] as usize] = cell + 1;
            }
        }
        self.refine(graph, &[cell], scratch)
    }

    fn swap(&mut self, a: u32, b: u32) {
        self.order.swap(a as usize, b as usize);
        self.position[self.order[a as usize] as usize] = a;
        self.position[self.order[b as usize] as usize] = b;
    }

    /// Splits cells until no cell tells the vertices of another apart, starting from some cells.
    fn refine(&mut self, graph: &Graph, cells: &[u32], scratch: &mut Scratch) -> u64 {
        let mut trace = 0u64;
        scratch.count.resize(graph.len(), 0);
        scratch.is_pending.resize(graph.len(), false);
        scratch.pending.extend(cells.iter().rev());
        cells.iter().for_each(|&cell| scratch.is_pending[cell as usize] = true);
        while let Some(splitter) = scratch.pending.pop() {
            scratch.is_pending[splitter as usize] = false;
            let mut vertices = std::mem::take(&mut scratch.splitter);
            vertices.clear();
            vertices.extend_from_slice(self.members(splitter));
            for kind in 0..graph.kinds.len() {
                for &vertex in &vertices {
                    let neighbours = graph.neighbours(kind, vertex);
                    scratch.work += 1 + neighbours.len() as u64;
                    for &neighbour in neighbours {
                        let count = &mut scratch.count[neighbour as usize];
                        if *count == 0 {
                            scratch.touched.push(neighbour);
                        }
                        *count += 1;
                    }
                }
                trace = self.split_touched(trace, scratch);
            }
            scratch.splitter = vertices;
        }
        trace
    }

    /// Splits the cells of the touched vertices by their counts, and resets the counts.
    fn split_touched(&mut self, mut trace: u64, scratch: &mut Scratch) -> u64 {
        scratch.touched_cells.clear();
        scratch.touched_cells.extend(scratch.touched.iter().map(|&v| self.cell[v as usize]));
        scratch.touched_cells.sort_unstable();
        scratch.touched_cells.dedup();
        // Within a cell the order of the vertices is left to chance; the order of counts is not.
        for i in 0..scratch.touched_cells.len() {
            let cell = scratch.touched_cells[i];
            let (begin, length) = (cell as usize, self.length[cell as usize] as usize);
            let count = &scratch.count;
            if length > 1 {
                self.order[begin..begin + length].sort_unstable_by_key(|&v| count[v as usize]);
            }
            let mut at = begin;
            let mut largest = (0, cell);
            let mut parts = 0;
            while at < begin + length {
                let value = count[self.order[at] as usize];
                let part = self.order[at..begin + length].iter().take_while(|&&v| count[v as usize] == value);
                let part = part.count();
                for position in at..at + part {
                    let vertex = self.order[position] as usize;
                    self.position[vertex] = position as u32;
                    self.cell[vertex] = at as u32;
                }
                self.length[at] = part as u32;
                for part in [at as u64, part as u64, u64::from(value)] {
                    trace = (trace.rotate_left(7) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                }
                if part > largest.0 {
                    largest = (part, at as u32);
                }
                parts += 1;
                at += part;
            }
            if parts > 1 {
                // The largest part need not split others unless the whole was still to do so.
                let whole_pending = scratch.is_pending[begin];
                let mut at = begin;
                while at < begin + length {
                    if !scratch.is_pending[at] && (whole_pending || at as u32 != largest.1) {
                        scratch.is_pending[at] = true;
                        scratch.pending.push(at as u32);
                    }
                    at += self.length[at] as usize;
                }
            }
        }
        for vertex in scratch.touched.drain(..) {
            scratch.count[vertex as usize] = 0;
        }
        trace
    }
}
