//! Names with a text each, such as environment variables.
//!
//! A tree of the standard library does the same with a hundredth of the page's bytes more.

use serde::{Serialize, Serializer};

/// Names with a text each, in the order of the names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(Vec<(String, String)>);

impl Names {
    /// No names.
    pub fn new() -> Names {
        Names::default()
    }

    /// Gives a name its text, in place of one that it had.
    pub fn insert(&mut self, name: String, text: String) {
        match self.place(&name) {
            Ok(at) => {
                if let Some(known) = self.0.get_mut(at) {
                    known.1 = text;
                }
            }
            Err(at) => self.0.insert(at, (name, text)),
        }
    }

    /// Forgets a name.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(known, _)| known != name);
    }

    /// A name's text.
    pub fn get(&self, name: &str) -> Option<&String> {
        self.0.get(self.place(name).ok()?).map(|(_, text)| text)
    }

    /// Whether a name has a text.
    pub fn contains_key(&self, name: &str) -> bool {
        self.place(name).is_ok()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names and texts.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&String, &String)> {
        self.0.iter().map(|(name, text)| (name, text))
    }

    /// The names.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &String> {
        self.0.iter().map(|(name, _)| name)
    }

    /// Where a name is, or would be.
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.as_str().cmp(name))
    }
}

impl FromIterator<(String, String)> for Names {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Names {
        let mut names = Names::new();
        for (name, text) in pairs {
            names.insert(name, text);
        }
        names
    }
}

impl<const N: usize> From<[(String, String); N]> for Names {
    fn from(pairs: [(String, String); N]) -> Names {
        pairs.into_iter().collect()
    }
}

impl Serialize for Names {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn names_are_kept_as_a_tree_keeps_them(steps in prop::collection::vec(("[a-d]{0,2}", "[xy]", any::<bool>()), 0..30)) {
            let (mut names, mut tree) = (Names::new(), BTreeMap::new());
            for (name, text, stays) in steps {
                if stays {
                    names.insert(name.clone(), text.clone());
                    tree.insert(name.clone(), text);
                } else {
                    names.remove(&name);
                    tree.remove(&name);
                }
                prop_assert_eq!(names.get(&name), tree.get(&name));
                prop_assert_eq!(names.contains_key(&name), tree.contains_key(&name));
            }
            prop_assert_eq!(names.iter().collect::<Vec<_>>(), tree.iter().collect::<Vec<_>>());
        }
    }
}
