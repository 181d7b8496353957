import { expect, test } from "vitest"
import { cyclesIn } from "./import-cycles"
import type { Module } from "./source-modules"

const module = (name: string, ...targets: string[]): Module => ({
  file: `app/${name}.ts`,
  name,
  text: "",
  imports: targets.map((target) => ({ target, isPackage: false, isTypeOnly: true })),
})

test("a cycle over three modules is found, by types alone", () => {
  const modules = [module("a", "b"), module("b", "c"), module("c", "a"), module("d", "a")]
  expect(cyclesIn(modules)).toEqual(["a → b → c → a"])
})

test("two ways to one module are no cycle", () => {
  expect(cyclesIn([module("a", "b", "c"), module("b", "d"), module("c", "d"), module("d")])).toEqual([])
})
