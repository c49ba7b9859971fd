// The end of the tape in JavaScript; `tape.rs` explains the codes.

// More than any plan has. What goes on without end, such as an object that holds itself, ends here.
const DEEPEST = 5;
const LONGEST = 65_536;
const MOST_WORDS = 1 << 22;

const bits = new DataView(new ArrayBuffer(8));

/** Writes down what a program has passed in. It never throws. */
export function flatten(given) {
  const words = [];

  const characters = (text) => {
    words.push(text.length);
    for (let at = 0; at < text.length; at++) words.push(text.charCodeAt(at));
  };

  const odd = (what) => {
    words.push(9);
    characters(what);
  };

  const unreadable = (thrown) => {
    let reason = "";
    try {
      if (thrown !== undefined) reason = `: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
    } catch {
      // What was thrown cannot be told.
    }
    words.push(10);
    characters(reason.slice(0, 200));
  };

  const number = (given) => {
    if (Number.isInteger(given) && given >= 0 && given < 0xffffffff - 11) {
      words.push(given + 11);
    } else {
      bits.setFloat64(0, given);
      words.push(3, bits.getUint32(4), bits.getUint32(0));
    }
  };

  const text = (given) => {
    if (given.length > LONGEST) return odd(`a string of ${given.length} characters`);
    words.push(4);
    characters(given);
  };

  /** Writes a property, after its name if it is to have one; says whether there is one. */
  const property = (object, key, depth, name) => {
    let found;
    let thrown;
    try {
      found = object[key];
    } catch (error) {
      thrown = { error };
    }
    if (name !== undefined) {
      // What is undefined counts as left out.
      if (found === undefined && !thrown) return false;
      characters(name);
    }
    if (thrown) unreadable(thrown.error);
    else value(found, depth);
    return true;
  };

  const list = (given, length, depth) => {
    if (length > LONGEST) return odd(`an array of ${length} items`);
    words.push(5, length);
    for (let at = 0; at < length; at++) property(given, at, depth);
  };

  const map = (given, names, depth) => {
    if (names.length > LONGEST) return odd(`an object of ${names.length} properties`);
    const count = words.push(6, 0) - 1;
    for (const name of names) if (property(given, name, depth, name)) words[count]++;
  };

  const object = (given, depth) => {
    if (given === null) return words.push(0);
    if (depth > DEEPEST) return odd("an object nested too deeply");
    let length;
    let names;
    try {
      if (Array.isArray(given)) length = given.length;
      else if (isPlain(given)) names = Object.keys(given);
    } catch (thrown) {
      return unreadable(thrown);
    }
    if (length !== undefined) list(given, length, depth + 1);
    else if (names) map(given, names, depth + 1);
    else odd("an object that is not plain data");
  };

  const value = (given, depth) => {
    if (words.length > MOST_WORDS) throw new RangeError("it is larger than any plan");
    switch (typeof given) {
      case "boolean":
        return words.push(given ? 1 : 2);
      case "number":
        return number(given);
      case "string":
        return text(given);
      case "object":
        return object(given, depth);
      case "undefined":
        return odd("undefined");
      default:
        return odd(`a ${typeof given}`);
    }
  };

  try {
    value(given, 0);
  } catch (thrown) {
    words.length = 0;
    unreadable(thrown);
  }
  return words;
}

/** Whether an object is a literal, or as good as one: of any realm's `Object`, or without a prototype. */
function isPlain(object) {
  const above = Object.getPrototypeOf(object);
  return above === null || Object.getPrototypeOf(above) === null;
}

/**
 * Makes what the planner has written down.
 * @param {Uint32Array} words
 * @param {string} text
 */
export function build(words, text) {
  const records = [];
  let word = 0;
  let unit = 0;

  const characters = () => text.slice(unit, (unit += words[word++]));

  const number = () => {
    bits.setUint32(4, words[word++]);
    bits.setUint32(0, words[word++]);
    return bits.getFloat64(0);
  };

  const list = () => {
    const count = words[word++];
    const items = [];
    for (let at = 0; at < count; at++) items.push(value());
    return items;
  };

  // A name such as `__proto__` is a name like any other: only `fromEntries` makes it one.
  const map = () => {
    const entries = [];
    for (let left = words[word++]; left > 0; left--) entries.push([value(), value()]);
    return Object.fromEntries(entries);
  };

  const firstRecord = () => {
    const names = [];
    records.push(names);
    const record = {};
    for (let left = words[word++]; left > 0; left--) {
      const name = characters();
      names.push(name);
      record[name] = value();
    }
    return record;
  };

  const record = () => {
    const names = records[words[word++]];
    const made = {};
    for (let at = 0; at < names.length; at++) made[names[at]] = value();
    return made;
  };

  const value = () => {
    const code = words[word++];
    if (code >= 11) return code - 11;
    switch (code) {
      case 0:
        return null;
      case 1:
        return true;
      case 2:
        return false;
      case 3:
        return number();
      case 4:
        return characters();
      case 5:
        return list();
      case 6:
        return map();
      case 7:
        return firstRecord();
      default:
        return record();
    }
  };

  return value();
}
