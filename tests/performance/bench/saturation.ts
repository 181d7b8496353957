/** Requests a second with which the search begins. */
const FIRST_RATE = 40
/** Halvings of the gap between the highest rate that was held and the lowest that was not. */
const HALVINGS = 3
const MAX_RATE = 5_000

/**
 * Finds the highest rate of requests a second that is held: doubles it until it is not, then halves the gap. Throws if not even
 * the first rate is held.
 */
export async function saturation(isHeld: (perSecond: number) => Promise<boolean>): Promise<number> {
  let held = 0
  let tooMuch = FIRST_RATE
  while (tooMuch < MAX_RATE && (await isHeld(tooMuch))) {
    held = tooMuch
    tooMuch *= 2
  }
  for (let halving = 0; halving < HALVINGS; halving++) {
    const between = (held + tooMuch) / 2
    if (await isHeld(between)) held = between
    else tooMuch = between
  }
  if (held === 0) throw new Error(`The shop does not answer ${tooMuch} requests a second`)
  return held
}
