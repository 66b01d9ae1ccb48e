/** What is made of a value, made once for each: it is the very same value as long as nothing new is said. */
export function remembered<Value extends object, Made>(make: (value: Value) => Made): (value: Value) => Made {
  const known = new WeakMap<Value, { readonly made: Made }>();
  return (value) => {
    const present = known.get(value) ?? { made: make(value) };
    known.set(value, present);
    return present.made;
  };
}
