import type { Module } from "./source-modules"

/** All import cycles, each as the module names in import order. Type imports count like value imports. */
export function cyclesIn(modules: readonly Module[]): string[] {
  const importsOf = new Map(modules.map(({ name, imports }) => [name, imports.map(({ target }) => target)]))
  const finished = new Set<string>()
  const cycles: string[] = []

  function visit(name: string, path: readonly string[]): void {
    const at = path.indexOf(name)
    if (at >= 0) {
      cycles.push([...path.slice(at), name].join(" → "))
      return
    }
    if (finished.has(name)) return
    for (const target of importsOf.get(name) ?? []) visit(target, [...path, name])
    finished.add(name)
  }

  for (const { name } of modules) visit(name, [])
  return cycles
}
