//! Comma-separated values: a header and rows, with quotes where a field needs them.

/// A table with named columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Csv {
    /// Names of the columns.
    pub header: Vec<String>,
    /// The rows; short ones are filled with empty fields.
    pub rows: Vec<Vec<String>>,
}

impl Csv {
    /// Reads a text; its first line is the header.
    pub fn read(text: &str) -> Csv {
        let mut records = records(text).into_iter();
        let header = records.next().unwrap_or_default();
        let width = header.len();
        let rows = records.map(|mut row| {
            row.resize(width, String::new());
            row
        });
        Csv { rows: rows.collect(), header }
    }

    /// The number of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// The table as text.
    pub fn text(&self) -> String {
        let mut text = line(&self.header);
        for row in &self.rows {
            text.push_str(&line(row));
        }
        text
    }
}

/// One line with its newline.
pub fn line(fields: &[String]) -> String {
    let quoted = |field: &String| {
        if field.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.clone()
        }
    };
    fields.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

/// Splits a text into records; empty lines are none.
fn records(text: &str) -> Vec<Vec<String>> {
    let mut records = Vec::new();
    let mut record = Vec::new();
    let mut field = String::new();
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(std::mem::take(&mut field)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                record.push(std::mem::take(&mut field));
                let whole = std::mem::take(&mut record);
                if whole != [""] {
                    records.push(whole);
                }
            }
            other => field.push(other),
        }
    }
    if !field.is_empty() || !record.is_empty() {
        record.push(field);
        records.push(record);
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let table = Csv {
            header: vec!["a".into(), "b".into()],
            rows: vec![vec!["1,5".into(), "say \"hi\"".into()], vec![String::new(), "two\nlines".into()]],
        };
        assert_eq!(Csv::read(&table.text()), table);
    }

    #[test]
    fn short_rows_and_missing_newlines_are_forgiven() {
        let table = Csv::read("a,b,c\r\n1\r\n\r\n2,3,4");
        assert_eq!(table.rows, [vec!["1", "", ""], vec!["2", "3", "4"]]);
        assert_eq!(table.column("c"), Some(2));
        assert_eq!(table.column("d"), None);
    }
}
