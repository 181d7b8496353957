import { everyCell, runCells } from "../faults/matrix"
import type { Part } from "./soak-stage"

/** Runs all faults on every journey, in random order. */
export const faults: Part = {
  name: "faults",
  async run({ until, seed }) {
    const { faults, held, violations } = await runCells(await everyCell(seed), until)
    return { tried: { "faults tried": faults, "purchases held": held }, violations }
  },
}
