import { expect, test } from "vitest"
import { cyclesIn } from "./import-cycles"
import type { Module } from "./source-modules"

const module = (name: string, ...targets: string[]): Module => ({
  file: `app/${name}.ts`,
  name,
  text: "",
  imports: targets.map((target) => ({ target, isPackage: false, isTypeOnly: true })),
})

test("finds a cycle of three modules that consists of type imports", () => {
  const modules = [module("a", "b"), module("b", "c"), module("c", "a"), module("d", "a")]
  expect(cyclesIn(modules)).toEqual(["a → b → c → a"])
})

test("does not report two import paths to the same module as a cycle", () => {
  expect(cyclesIn([module("a", "b", "c"), module("b", "d"), module("c", "d"), module("d")])).toEqual([])
})
