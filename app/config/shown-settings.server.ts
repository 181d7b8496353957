import { existsSync, readFileSync } from "node:fs"
import { parseEnv } from "node:util"
import type { SettingSource, ShownSetting } from "~/domain/console/shown-setting"
import { EnvironmentSchema } from "./environment.server"
import { withCurrentNames } from "./former-variables"

type Environment = Readonly<Record<string, string | undefined>>

/** Files whose content is read at the start, by what names them: a variable, or `.env`. Null: it cannot be read. */
export type FilesRead = ReadonlyMap<string, string | null>

const SETTINGS_FILE = ".env"

/** Variables that name a file which is read at the start. */
const fileVariables = [
  "SHOP_FILE",
  "CATALOGUE_FILE",
  "COUNTRY_TABLE",
  "PLAYLIST_TEMPLATE_FILE",
  "MAIL_DKIM_KEY_FILE",
] as const

/** Reads the files that settings are in, or name. */
export function readSettingFiles(environment: Environment): FilesRead {
  const named = fileVariables.flatMap((name): [string, string][] => {
    const file = environment[name]
    return file ? [[name, file]] : []
  })
  return new Map(
    [[SETTINGS_FILE, SETTINGS_FILE] as const, ...named].map(([name, file]) => [name, contentOf(file)]),
  )
}

function contentOf(file: string): string | null {
  try {
    return existsSync(file) ? readFileSync(file, "utf8") : null
  } catch {
    return null
  }
}

/** Every setting as the process runs with it. `atStart`, `present`: the files then and now. */
export function shownSettings(
  environment: Environment,
  { atStart, present }: { readonly atStart: FilesRead; readonly present: FilesRead },
): readonly ShownSetting[] {
  const before = variablesIn(atStart)
  const after = variablesIn(present)
  const current = withCurrentNames(environment)
  return Object.entries(EnvironmentSchema.shape).map(([name, field]) => {
    const value = current[name] ?? ""
    const isSecret = isSecretName(name)
    const source = sourceOf({ value, typed: environment[name], inFile: before[name] })
    // What the environment sets itself overrules the file.
    const isFree = source === "settings-file" || source === "default"
    const isRewritten = isFree && before[name] !== after[name]
    return {
      name,
      about: aboutOf(field),
      value: value === "" || isSecret ? null : withoutCredentials(value),
      isSet: value !== "",
      isSecret,
      source,
      usual: usualOf(field),
      isStale: isRewritten || atStart.get(name) !== present.get(name),
    }
  })
}

function variablesIn(files: FilesRead): Environment {
  return parseEnv(files.get(SETTINGS_FILE) ?? "")
}

type Given = {
  readonly value: string
  readonly typed: string | undefined
  readonly inFile: string | undefined
}

function sourceOf({ value, typed, inFile }: Given): SettingSource {
  if (value === "") return "default"
  if (!typed) return "former-name"
  return inFile === typed ? "settings-file" : "environment"
}

/** Keys too that only identify an account: better one too many. A path of a file is none. */
function isSecretName(name: string): boolean {
  return /SECRET|TOKEN|_KEY/.test(name) && !name.endsWith("_FILE")
}

const HIDDEN = "…"

/** An address may have user and password, or a key in its query. */
export function withoutCredentials(value: string): string {
  if (!URL.canParse(value) || !value.includes("//")) return value
  const url = new URL(value)
  if (url.username === "" && url.password === "" && url.search === "" && url.hash === "") return value
  const user = url.username === "" && url.password === "" ? "" : `${HIDDEN}@`
  return `${url.protocol}//${user}${url.host}${url.pathname}${url.search === "" ? "" : `?${HIDDEN}`}`
}

type Field = (typeof EnvironmentSchema.shape)[keyof typeof EnvironmentSchema.shape]

/** The sentence of the document of the settings, without its marks and links. */
function aboutOf(field: Field): string {
  const written = field.meta()?.description ?? ""
  return written
    .replace(/ \(\[[^[\]]*\]\([^()]*\)\)/g, "")
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replaceAll("`", "")
}

function usualOf(field: Field): string | null {
  const described = field.meta()?.default
  if (typeof described === "string") return described.replaceAll("`", "")
  const { data } = field.safeParse(undefined)
  if (Array.isArray(data)) return data.join(",") || null
  return typeof data === "string" || typeof data === "number" ? String(data) : null
}
