/** The fastest JavaScript peer. */
export const FASTEST_PEER = 0.06

const recorded = [
  ["a page kept ready and packed, before React Router", "6"],
  ["a page kept ready, in React Router's middleware", "1.6"],
  ["PHP with Twig, no session and no database", "1.0"],
  ["renderToPipeableStream", "0.55"],
  ["a thin adapter with a buffered render", "0.30 to 0.42"],
  ["a web stream", "0.30"],
  ["React Router's own server", "0.19"],
  ["the same with the brotli a browser asks for", "0.05"],
  ["Vendure's Remix checkout", "0.06"],
  ["GOV.UK Pay's card page", "0.05"],
  ["Hydrogen's cart", "0.03"],
  ["Medusa's Next checkout", "0.02"],
] as const

/** Results recorded for other systems; this program does not measure them. */
export function peerLines(): string[] {
  const title =
    "Peers, recorded elsewhere, as ratios to bare renderToString (React 19.3, an 11 kB page, one core)"
  return [title, ...recorded.map(([who, ratio]) => `  ${ratio.padStart(12)}  ${who}`)]
}
