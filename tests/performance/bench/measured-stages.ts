import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { Measured, MeasuredStages } from "./bench-stages"

/** `of`: the build and the lengths that are measured. `resume`: go on with the figures in the file, if they are of the same. */
type Keeping = { readonly file: string; readonly of: string; readonly resume: boolean }

type Kept = { readonly of: string; readonly stages: Record<string, Measured> }

/** Keeps the figures of each stage in a file as soon as they are measured. */
export function openMeasuredStages({ file, of, resume }: Keeping): MeasuredStages {
  const { stages } = resume ? readKept(file, of) : nothingOf(of)
  return {
    read: (name) => stages[name] ?? null,
    add(name, measured) {
      stages[name] = measured
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify({ of, stages } satisfies Kept))
    },
  }
}

const nothingOf = (of: string): Kept => ({ of, stages: {} })

function readKept(file: string, of: string): Kept {
  if (!existsSync(file)) return nothingOf(of)
  const kept: Kept = JSON.parse(readFileSync(file, "utf8"))
  return kept.of === of ? kept : nothingOf(of)
}
