import { posix } from "node:path"
import ts from "typescript"
import { sourceFiles } from "./source-modules"

/** Message keys that the app uses: literal keys, and all values of template keys. */
export type UsedKeys = {
  readonly keys: ReadonlySet<string>
  /** Template keys with a placeholder that can be any string. */
  readonly unclear: readonly string[]
}

/**
 * All message keys that modules can use: string literals, and templates such as `timeline.${kind}` with all values that
 * the type of the placeholder allows. All literals count, not only arguments of `t`, because form errors are passed as
 * keys. `sections` are the first parts of the keys.
 */
export function usedKeys(sections: readonly string[], isUser: (file: string) => boolean): UsedKeys {
  const program = programOf(isUser)
  const checker = program.getTypeChecker()
  const files = program.getSourceFiles().filter(({ fileName }) => isUser(pathOf(fileName)))
  const nodes = files.flatMap(nodesIn)
  const written = nodes.filter(ts.isStringLiteralLike).map(({ text }) => text)
  const put = nodes.filter(ts.isTemplateExpression).filter(({ head }) => begins(head.text, sections))
  const outcomes = put.map((template) => ({ template, keys: valuesOf(template, checker) }))
  return {
    keys: new Set([
      ...written.filter((text) => begins(text, sections)),
      ...outcomes.flatMap(({ keys }) => keys ?? []),
    ]),
    unclear: outcomes.filter(({ keys }) => !keys).map(({ template }) => template.getText()),
  }
}

/**
 * A program with these modules of the app, what they import of it, and React, whose types carry state types. Resolving all
 * packages would take a minute.
 */
function programOf(isUser: (file: string) => boolean): ts.Program {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2024,
    lib: ["lib.es2024.d.ts"],
    strict: true,
    noUncheckedIndexedAccess: true,
    jsx: ts.JsxEmit.Preserve,
    types: [],
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }
  const files = sourceFiles("app").filter((file) => !/\.(test\.tsx?|d\.ts)$/.test(file))
  const known = new Set(files)
  const host = ts.createCompilerHost(options)
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) =>
      text === "react"
        ? ts.resolveModuleName(text, from, options, host)
        : { resolvedModule: ownModule(text, from, known) },
    )
  return ts.createProgram(files.filter(isUser), options, host)
}

function ownModule(name: string, from: string, known: ReadonlySet<string>) {
  if (!/^[.~]/.test(name)) return undefined
  const folder = posix.dirname(posix.relative(process.cwd(), posix.resolve(from)))
  const path = name.startsWith("~/") ? `app/${name.slice(2)}` : posix.join(folder, name)
  const file = [`${path}.ts`, `${path}.tsx`].find((it) => known.has(it))
  if (!file) return undefined
  const extension = file.endsWith("x") ? ts.Extension.Tsx : ts.Extension.Ts
  return { resolvedFileName: file, extension, isExternalLibraryImport: false }
}

/**
 * Modules that use the texts of the pages. Excludes their catalogues, mail and the console, which have texts of their own, and
 * gateways and the sandbox, whose provider values can look like message keys.
 */
export function isOfPages(file: string): boolean {
  return (
    file.startsWith("app/") &&
    !/^app\/(i18n|mail|gateways|sandbox|ui\/admin|routes\/admin|flows\/admin|middleware\/console)\//.test(
      file,
    )
  )
}

/** Modules that use the texts of mail. */
export function isOfMail(file: string): boolean {
  return file.startsWith("app/mail/messages/") && !file.startsWith("app/mail/messages/translations/")
}

const pathOf = (fileName: string) => posix.relative(process.cwd(), posix.resolve(fileName))

function begins(text: string, sections: readonly string[]): boolean {
  return sections.some((section) => text.startsWith(`${section}.`)) && /^[\w.-]+$/.test(text)
}

/** All texts that a template can evaluate to, or null if a placeholder can be any string. */
function valuesOf(template: ts.TemplateExpression, checker: ts.TypeChecker): string[] | null {
  let texts = [template.head.text]
  for (const { expression, literal } of template.templateSpans) {
    const values = literalsOf(checker.getTypeAtLocation(expression))
    if (!values) return null
    texts = texts.flatMap((text) => values.map((value) => text + value + literal.text))
  }
  return texts
}

function literalsOf(type: ts.Type): string[] | null {
  const types = type.isUnion() ? type.types : [type]
  const values = types.map((it) => (it.isStringLiteral() ? it.value : null))
  return values.every((value) => value !== null) ? values : null
}

function nodesIn(node: ts.Node): ts.Node[] {
  const nodes = [node]
  ts.forEachChild(node, (child) => void nodes.push(...nodesIn(child)))
  return nodes
}
