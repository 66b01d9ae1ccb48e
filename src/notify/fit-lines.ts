/** As many lines from the beginning as fit; the last one counts the rest. `sizeOf` in the unit in which the service counts. */
export function fitLines(lines: readonly string[], largest: number, sizeOf: (line: string) => number): readonly string[] {
  const countLine = (count: number): string => `and ${count} more ${count === 1 ? 'line' : 'lines'}`;
  let room = largest;
  const fitting = lines.findIndex((line) => {
    room -= sizeOf(line);
    return room < 0;
  });
  if (fitting === -1) return lines;
  room = largest - sizeOf(countLine(lines.length));
  const kept = lines.findIndex((line) => {
    room -= sizeOf(line);
    return room < 0;
  });
  return [...lines.slice(0, kept), countLine(lines.length - kept)];
}
