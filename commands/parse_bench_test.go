package commands

import (
	"fmt"
	"testing"
)

// BenchmarkParse is what finding the command of a comment costs, by how long the comment is.
func BenchmarkParse(b *testing.B) {
	for _, size := range []int{1 << 10, 64 << 10} {
		b.Run(fmt.Sprintf("%d KB", size>>10), func(b *testing.B) {
			text := plain(size)
			if len(Parse(text)) != 1 {
				b.Fatal("the command is not found")
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Parse(text)
			}
		})
	}
}
