/** A target and its direction. */
type Aim = {
  readonly what: string
  readonly at: number
  readonly wants: "least" | "most"
  readonly unit?: string
  /** False for a figure that load on the machine alone can spoil; it is not compared with earlier runs. */
  readonly isGuarded: boolean
}

const min = (what: string, at: number) => ({ what, at, wants: "least", isGuarded: true }) as const
const max = (what: string, at: number, unit = "") =>
  ({ what, at, wants: "most", unit, isGuarded: true }) as const
const unguarded = <T extends Aim>(aim: T) => ({ ...aim, isGuarded: false })

export const aims = {
  knownVisitorPerRender: min("known visitor's checkout, share of renderToString", 0.5),
  knownVisitorPerRouter: min("known visitor's checkout, times React Router's server", 3),
  knownVisitorPerRouterCompressed: min("the same, when a browser asks for compression", 8),
  knownVisitorPerPeer: min("known visitor's checkout, times the fastest JavaScript peer", 8),
  firstPagePerHttp: min("first page, share of bare node:http", 0.35),
  firstPagePerHttpCompressed: min("the same, when a browser asks for compression", 0.35),
  waitingPagePerCheckout: min("waiting page, times the known visitor's checkout", 1),
  statusPerCheckout: min("status of an order, times the known visitor's checkout", 1),
  orderPerSqlite: min("an order placed, share of node:http with node:sqlite", 0.4),
  tail: unguarded(max("p99 by p50 of the known visitor's checkout, one connection", 5)),
  idleMemory: max("memory of an idle instance", 130, " MB"),
  grownMemory: unguarded(max("memory after the last round, times that after the first", 1.1)),
  loadedMemory: unguarded(max("memory under mixed load at half of saturation", 200, " MB")),
  loadedTail: unguarded(max("p99 by p50 of pages at 70 % of saturation, new connections", 10)),
  loadedCallback: unguarded(max("the same, p99 of callbacks", 0.5, " s")),
  loadedHealth: unguarded(max("the same, p99 of health checks", 0.5, " s")),
  loopDelay: unguarded(max("the same, p99 of the event loop's delay", 50, " ms")),
  firstStart: unguarded(max("first start of an installed clone, first page after", 25, " s")),
  firstPage: unguarded(max("second start, first page after", 0.5, " s")),
  firstRequest: unguarded(max("first request after a start, times the later ones", 3)),
  restartAdds: unguarded(max("restart of two instances under load adds to the slowest request", 1, " s")),
  restartLoses: max("the same, lost requests", 0),
  ready: unguarded(max("ready after", 0.8, " s")),
  twoOfOne: min("two instances over PostgreSQL, times one", 1.7),
  paint: unguarded(max("checkout on a phone, largest contentful paint", 0.8, " s")),
  blocked: unguarded(max("checkout on a phone, total blocking time", 60, " ms")),
  interaction: unguarded(max("checkout on a slowed phone, slowest interaction, median of loads", 100, " ms")),
  requests: max("checkout on a phone, requests", 12),
  script: max("script, packed", 132, " kB"),
  scriptFiles: max("files of script", 6),
  style: max("style, packed", 12, " kB"),
  fonts: max("fonts", 60, " kB"),
  zod: max("files with zod in the browser", 0),
} satisfies Record<string, Aim>

export type AimName = keyof typeof aims
/** Measured figures; null: cannot be measured on this machine. */
export type Reached = Readonly<Partial<Record<AimName, number | null>>>

export const aimNames = Object.keys(aims) as readonly AimName[]

/** Formats each target with its measured figure. */
export function aimLines(reached: Reached): string[] {
  return aimNames.map((name) => lineOf(aims[name], reached[name] ?? null))
}

function lineOf(aim: Aim, value: number | null): string {
  const bound = aim.wants === "least" ? "or more" : "or less"
  const goal = `aim ${aim.at}${aim.unit ?? ""} ${bound}`
  if (value === null) return `  not measured  ${aim.what}, ${goal}`
  const isReached = aim.wants === "least" ? value >= aim.at : value <= aim.at
  return `  ${isReached ? "reached" : "MISSED "}  ${aim.what}: ${rounded(value)}${aim.unit ?? ""}, ${goal}`
}

/** Rounds to three significant digits. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
