// Texts whose contrast with what is behind them is below the level AA of the WCAG: 4.5, or 3 for large letters. Pictures and texts over gradients are
// left out.
(() => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => { context.clearRect(0, 0, 1, 1); context.fillStyle = colour; context.fillRect(0, 0, 1, 1); const d = context.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = (c) => { const [r, g, b] = c.slice(0, 3).map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), element = walker.currentNode.parentElement;
    if (!text || !element.checkVisibility() || element.closest("svg, script, noscript, :disabled, [aria-hidden=true], .sheet, option")) continue;
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.x < -500) continue;
    const layers = []; let opacity = 1, painted = false;
    for (let at = element; at; at = at.parentElement) { const style = getComputedStyle(at); opacity *= Number(style.opacity); if (style.backgroundImage !== "none") { painted = true; break; } const colour = rgba(style.backgroundColor); if (colour[3] > 0) { layers.push(colour); if (colour[3] === 1) break; } }
    if (painted) continue;
    let below = [255, 255, 255, 1];
    for (const layer of layers.reverse()) below = over(layer, below);
    const style = getComputedStyle(element), own = rgba(style.color); own[3] *= opacity;
    const [a, b] = [light(over(own, below)), light(below)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05), size = parseFloat(style.fontSize), isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) found.push(`${ratio.toFixed(2)} ${element.tagName}.${element.className} "${text.slice(0, 30)}"`);
  }
  return [...new Set(found)].slice(0, 12);
})()
