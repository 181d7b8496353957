import { readFileSync } from "node:fs"
import ts from "typescript"
import { sourceFiles } from "./source-modules"

export type LogCall = {
  readonly file: string
  /** Name of the method, such as "warn"; null if it is computed. */
  readonly level: string | null
  /** Null if the message is not a string literal. */
  readonly message: string | null
}

const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal"]

/** All logger calls in app/ without tests: `log.warn(…)`, `services.log.info(…)`, `log[level](…)`. */
export function logCalls(): LogCall[] {
  return sourceFiles("app")
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(file, "utf8") }))
    .filter(({ text }) => /\blog\b/.test(text))
    .flatMap(({ file, text }) => callsIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)))
}

function callsIn(source: ts.SourceFile): LogCall[] {
  const calls: LogCall[] = []
  visit(source)
  return calls

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node) && isLogger(node.expression)) calls.push(logCall(source.fileName, node))
    ts.forEachChild(node, visit)
  }
}

function logCall(file: string, { expression, arguments: given }: ts.CallExpression): LogCall {
  const message = given.at(-1)
  return {
    file,
    level: ts.isPropertyAccessExpression(expression) ? expression.name.text : null,
    message: message && ts.isStringLiteral(message) ? message.text : null,
  }
}

function isLogger(callee: ts.Expression): boolean {
  if (ts.isElementAccessExpression(callee)) return endsInLog(callee.expression)
  return (
    ts.isPropertyAccessExpression(callee) && LEVELS.includes(callee.name.text) && endsInLog(callee.expression)
  )
}

function endsInLog(expression: ts.Expression): boolean {
  return /(?:^|\.)log$/.test(expression.getText())
}
