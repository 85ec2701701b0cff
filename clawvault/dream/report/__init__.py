"""One page that shows what memory keeps and loses."""
