import { readdirSync, readFileSync } from "node:fs"
import { posix } from "node:path"

/** One import of a module. `target` is a path below app/ without file extension ("domain/money/money"), or a package. */
export type Import = { readonly target: string; readonly isPackage: boolean; readonly isTypeOnly: boolean }

/** A source file. `name` is its path below app/ without file extension. */
export type Module = {
  readonly file: string
  readonly name: string
  readonly text: string
  readonly imports: readonly Import[]
}

/** Paths of the source files in a folder of the project, tests included. */
export function sourceFiles(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  return files.filter((file) => /\.(m?[tj]s|tsx)$/.test(file)).map((file) => `${folder}/${file}`)
}

/** All modules of the app with their imports. Tests are excluded, as they may import any module. */
export function appModules(): Module[] {
  return sourceFiles("app")
    .filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file))
    .map(readModule)
}

/** A file with its imports. The name of a file outside app/ is a relative path ("../tests/support/html/page"). */
export function readModule(file: string): Module {
  const text = readFileSync(file, "utf8")
  return { file, text, name: withoutEnding(posix.relative("app", file)), imports: importsIn(text, file) }
}

const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm
const CALL = /\bimport\(\s*"([^"]+)"/g

function importsIn(text: string, file: string): Import[] {
  const statements = [...text.matchAll(STATEMENT)].map(([, type, path = ""]) => ({
    path,
    isTypeOnly: Boolean(type),
  }))
  const calls = [...text.matchAll(CALL)].map(([, path = ""]) => ({ path, isTypeOnly: false }))
  return [...statements, ...calls]
    .filter(({ path }) => !path.includes("/+types/") && !path.startsWith("virtual:"))
    .map(({ path, isTypeOnly }) => ({ ...resolved(path, file), isTypeOnly }))
}

function resolved(path: string, file: string): { target: string; isPackage: boolean } {
  const bare = path.split("?", 1)[0] ?? path
  if (bare.startsWith("~/")) return { target: withoutEnding(bare.slice(2)), isPackage: false }
  if (!bare.startsWith(".")) return { target: bare, isPackage: true }
  const target = posix.relative("app", posix.join(posix.dirname(file), bare))
  return { target: withoutEnding(target), isPackage: false }
}

function withoutEnding(path: string): string {
  return path.replace(/\.(m?[tj]s|tsx)$/, "")
}
