/**
 * @typedef {"vitest" | "playwright"} Runner
 * @typedef {{ runner: Runner, project: string, file: string }} DeepFile file: its path in the project's folder
 * @typedef {{ runner: Runner, project: string, files: readonly string[] }} Slice what one start of a runner runs
 */

/**
 * Files whose project or path contains one of the patterns; all files without a pattern.
 * @param {readonly DeepFile[]} files
 * @param {readonly string[]} patterns
 */
export function pickFiles(files, patterns) {
  if (patterns.length === 0) return files
  const wanted = patterns.map((pattern) => pattern.toLowerCase())
  return files.filter(({ project, file }) =>
    wanted.some((pattern) => `${project} ${file}`.toLowerCase().includes(pattern)),
  )
}

/**
 * Splits files into slices of at most `size` files. Each slice has one runner and one project; slices are sorted by
 * name.
 * @param {readonly DeepFile[]} files
 * @param {number} size
 * @returns {Slice[]}
 */
export function slicesOf(files, size) {
  const inOrder = [...files].sort((one, other) => keyOf(one).localeCompare(keyOf(other)))
  /** @type {{ runner: Runner, project: string, files: string[] }[]} */
  const slices = []
  for (const { runner, project, file } of inOrder) {
    const last = slices.at(-1)
    const fits = last?.runner === runner && last.project === project && last.files.length < size
    if (last && fits) last.files.push(file)
    else slices.push({ runner, project, files: [file] })
  }
  return slices
}

/** @param {DeepFile} file */
const keyOf = ({ runner, project, file }) => `${runner} ${project} ${file}`

/**
 * Rotates the slices by commit hash, so that the time limit does not always cut off the same ones.
 * @template T
 * @param {readonly T[]} slices
 * @param {string} commit its hash
 */
export function rotate(slices, commit) {
  const first = Number.parseInt(commit.slice(0, 8) || "0", 16) % Math.max(1, slices.length)
  return [...slices.slice(first), ...slices.slice(0, first)]
}
