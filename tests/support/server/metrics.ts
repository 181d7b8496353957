/** One line of what `/metrics` shows. */
export type Sample = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/

/** Reads the text of a metrics page. Throws when a line is none of the format. */
export function samplesIn(text: string): readonly Sample[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
  return lines.map((line) => {
    const [, name = "", labels = "", value = ""] = LINE.exec(line) ?? []
    // Nothing has been measured yet: prom-client writes "Nan".
    if (!name || !/^(nan|[+-]?inf|[-+.\de]+)$/i.test(value)) throw new Error(`Not a line of metrics: ${line}`)
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, held]) => [key, held])
    return { name, labels: Object.fromEntries(pairs), value: Number(value) }
  })
}

/** The sum of what bears this name and these labels; 0 when nothing does. */
export function sumOf(text: string, name: string, labels: Sample["labels"] = {}): number {
  const wanted = Object.entries(labels)
  const bearing = samplesIn(text).filter(
    (it) => it.name === name && wanted.every(([key, held]) => it.labels[key] === held),
  )
  return bearing.reduce((sum, { value }) => sum + value, 0)
}
