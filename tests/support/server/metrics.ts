/** One line of `/metrics`. */
export type Sample = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/

/** Parses a metrics page. Throws if a line is invalid. */
export function samplesIn(text: string): readonly Sample[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
  return lines.map((line) => {
    const [, name = "", labels = "", value = ""] = LINE.exec(line) ?? []
    // prom-client writes "Nan" for a metric without a value.
    if (!name || !/^(nan|[+-]?inf|[-+.\de]+)$/i.test(value)) throw new Error(`Not a line of metrics: ${line}`)
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, held]) => [key, held])
    return { name, labels: Object.fromEntries(pairs), value: Number(value) }
  })
}

/** Sums the samples with this name and these labels; 0 if there are none. */
export function sumOf(text: string, name: string, labels: Sample["labels"] = {}): number {
  const wanted = Object.entries(labels)
  const bearing = samplesIn(text).filter(
    (it) => it.name === name && wanted.every(([key, held]) => it.labels[key] === held),
  )
  return bearing.reduce((sum, { value }) => sum + value, 0)
}
