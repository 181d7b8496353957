import { closest, distance } from "fastest-levenshtein"
import { EnvironmentSchema } from "./environment.server"
import { formerVariables } from "./former-variables"

type Environment = Readonly<Record<string, string | undefined>>

export type MistypedVariable = { readonly variable: string; readonly meant: string }

const names = Object.keys(EnvironmentSchema.shape)
/** From this length on two wrong letters, such as two that changed places, are a mistake rather than another name. */
const LONG = 8
/** Names of other programs are too close to shorter ones: HOME to HOST. */
const SHORT = 5

/** Variables that are no settings and likely meant to be one that is not set: its default holds, and nothing else would say so. */
export function mistypedVariablesIn(environment: Environment): readonly MistypedVariable[] {
  return Object.keys(environment)
    .filter((variable) => environment[variable] && !isName(variable) && variable.length > SHORT)
    .map((variable) => ({ variable, meant: closest(variable.toUpperCase(), names) }))
    .filter(({ variable, meant }) => !environment[meant] && isClose(variable.toUpperCase(), meant))
}

function isName(variable: string): boolean {
  return names.includes(variable) || Object.hasOwn(formerVariables, variable)
}

function isClose(variable: string, meant: string): boolean {
  return distance(variable, meant) <= (variable.length >= LONG ? 2 : 1)
}
