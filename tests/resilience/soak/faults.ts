import { everyCell, runCells } from "../faults/matrix"
import type { Part } from "./soak-stage"

/** Whatever can go wrong on every way, in an order of chance. */
export const faults: Part = {
  name: "faults",
  async run({ until, seed }) {
    const cells = await everyCell(seed)
    const { faults, held, violations } = await runCells(cells, until)
    return { tried: { "faults tried": faults, "purchases held": held }, violations }
  },
}
