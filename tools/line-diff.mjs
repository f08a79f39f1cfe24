/** A line diff by longest common subsequence: lines with the sign `+`, `-` or a blank. Quadratic, so for short texts. */
export function lineDiff(before, after) {
  const [old, now] = [lines(before), lines(after)];
  // common[i][j]: length of the longest common subsequence of old[i..] and now[j..].
  const common = Array.from({ length: old.length + 1 }, () => new Array(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i][j] =
        old[i] === now[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const result = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j])
      result.push({ sign: ' ', line: old[i++] }) && j++;
    else if (j === now.length || (i < old.length && common[i + 1][j] >= common[i][j + 1]))
      result.push({ sign: '-', line: old[i++] });
    else result.push({ sign: '+', line: now[j++] });
  }
  return result;
}

function lines(text) {
  return text.replace(/\n$/, '').split('\n');
}
