/** A text with an address in it, which breaks before its "@" and its dots where it is longer than a line. */
export function AddressText({ text }: { text: string }) {
  const [first, ...parts] = text.split(/\b(?=[@.]\w)/)
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
  return [first, ...parts.flatMap((part, index) => [<wbr key={index} />, part])]
}
