import { readFileSync } from "node:fs"
import ts from "typescript"
import { sourceFiles } from "./source-modules"

/**
 * An exported declaration, or a member of an exported type. `type` is the name of that type, null for a declaration.
 */
export type ExportedName = { readonly file: string; readonly name: string; readonly type: string | null }

/** All exported names in app/, tests/ and scripts/, with the members of exported types. */
export function exportedNames(): ExportedName[] {
  return ["app", "tests", "scripts"].flatMap(sourceFiles).flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)
    return source.statements.filter(isExported).flatMap((statement) => namesIn(file, statement))
  })
}

function isExported(statement: ts.Statement): boolean {
  return (ts.getCombinedModifierFlags(statement as ts.DeclarationStatement) & ts.ModifierFlags.Export) !== 0
}

function namesIn(file: string, statement: ts.Statement): ExportedName[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => ({
      file,
      name: name.getText(),
      type: null,
    }))
  }
  const { name } = statement as ts.DeclarationStatement
  if (!name) return []
  const members = membersOf(statement).map((member) => ({ file, name: member, type: name.text }))
  return [{ file, name: name.text, type: null }, ...members]
}

/** Member names of an interface, or of the object types in a type alias. */
function membersOf(statement: ts.Statement): string[] {
  if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) return []
  const members: string[] = []
  ts.forEachChild(statement, function visit(node): void {
    if (ts.isTypeElement(node) && node.name) members.push(node.name.getText())
    ts.forEachChild(node, visit)
  })
  return members
}
