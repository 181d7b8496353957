/** Whether a text is one of a list of constants: what a form, a URL or a command names need not be. */
export function includes<Constant extends string>(
  constants: readonly Constant[],
  text: string | undefined,
): text is Constant {
  const all: readonly (string | undefined)[] = constants
  return all.includes(text)
}
